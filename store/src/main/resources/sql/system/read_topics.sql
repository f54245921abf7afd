SELECT name, description, pools
FROM topic
