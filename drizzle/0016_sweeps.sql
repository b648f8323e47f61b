ALTER TABLE `orgs` ADD `exported_commits` integer;--> statement-breakpoint
CREATE INDEX `deliveries_status` ON `deliveries` (`org_id`,`endpoint_name`,`status`);--> statement-breakpoint
CREATE INDEX `invitations_expires_on` ON `invitations` (`expires_on`);