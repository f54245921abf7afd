  SELECT owner.name, owner.tenant, owner.workflow, belay_now() AS now,
         (SELECT w.id
          FROM workflow w
          WHERE w.tenant = owner.tenant AND w.name = owner.workflow
          ORDER BY w.version DESC
          LIMIT 1) AS workflow_id,
         control.deleted_at IS NOT NULL AS deleted, control.paused_at IS NOT NULL AS paused,
         control.max_active, coalesce(control.overlap, 'QUEUE') AS overlap,
         EXISTS (SELECT
                 FROM trigger_version live
                 WHERE live.trigger_id = owner.id AND live.until_at IS NULL AND live.paused_at IS NOT NULL) AS trigger_paused
  FROM trigger owner
  LEFT JOIN workflow_control control ON control.tenant = owner.tenant AND control.name = owner.workflow
  WHERE owner.id = fire.trigger_id
