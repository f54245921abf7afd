SELECT kind, count(*) AS found,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY detected_ms) AS detected_p50,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY detected_ms) AS detected_p99,
       max(detected_ms) AS detected_worst,
       count(again_ms) AS again,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY again_ms) AS again_p50,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY again_ms) AS again_p99,
       max(again_ms) AS again_worst,
       count(*) FILTER (WHERE NOT closed) AS open,
       count(*) FILTER (WHERE detected_ms > promised_ms) AS late
FROM (SELECT kind, closed, promised_ms,
             CAST(extract(epoch FROM detected_at - last_sign_at) * 1000 AS bigint) AS detected_ms,
             CAST(extract(epoch FROM running_again_at - last_sign_at) * 1000 AS bigint) AS again_ms
      FROM recovery
      WHERE detected_at > belay_now() - :window_ms * interval '1 millisecond') AS measured
GROUP BY kind
