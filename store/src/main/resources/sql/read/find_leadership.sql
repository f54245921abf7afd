SELECT leader, epoch, current_setting('server_version') AS database FROM leadership
