"""Notifications: "your turn" in correspondence games, sent to the browsers that asked for it by Web Push."""
