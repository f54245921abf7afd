SELECT name, description, state, slots, capabilities, strategy
FROM pool
