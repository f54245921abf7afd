SELECT name, pools
FROM topic
