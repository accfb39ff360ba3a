"""Tables in memory: loading, acting, bots, clocks, presence and event streams."""
