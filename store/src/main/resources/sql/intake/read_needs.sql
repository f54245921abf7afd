-- What the triggers of one version need from outside.
SELECT one ->> 'calendar' AS calendar, one ->> 'workflow' AS workflow
FROM workflow w
CROSS JOIN LATERAL jsonb_array_elements(w.spec -> 'triggers') AS one
WHERE w.tenant = :tenant AND w.name = :name AND w.version = :version
