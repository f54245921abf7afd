SELECT name, state, slots, capabilities, strategy
FROM pool
