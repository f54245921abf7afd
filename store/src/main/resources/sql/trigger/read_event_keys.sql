SELECT i.number, event.id, event.data = CAST(i.data AS jsonb) AS same
FROM unnest(CAST(:numbers AS int[]), CAST(:tenants AS text[]), CAST(:names AS text[]), CAST(:keys AS text[]),
            CAST(:data AS text[]))
     AS i (number, tenant, name, key, data)
JOIN event ON event.tenant = i.tenant AND event.name = i.name AND event.key = i.key
