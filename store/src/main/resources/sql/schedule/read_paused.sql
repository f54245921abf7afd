SELECT f.at
FROM (SELECT at
      FROM fire
      WHERE trigger_id = :trigger AND at >= CAST(:since AS timestamptz) AND outcome = 'skipped'
        AND reason IN ('paused', 'trigger_paused')
      ORDER BY at DESC
      LIMIT :max) AS f
ORDER BY f.at
