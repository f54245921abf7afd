SELECT epoch
FROM leadership
