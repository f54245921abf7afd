SELECT id FROM trigger WHERE tenant = :tenant AND workflow = :workflow AND name = :name
