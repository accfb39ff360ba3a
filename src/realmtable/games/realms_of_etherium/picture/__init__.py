"""What people see of Realms of Etherium: the map, the panels, the gallery of tiles and the terminal sketch."""
