CREATE TABLE `attempts` (
	`account` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`last_on` integer NOT NULL,
	`closed_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`created_on` integer NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`address` text,
	`subject_id` text,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_org` ON `audit` (`org_id`,`created_on`);--> statement-breakpoint
CREATE INDEX `audit_created_on` ON `audit` (`created_on`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`org_id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`allow_sign_up` integer NOT NULL,
	`updated_on` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`digest` text NOT NULL,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`expires_on` integer NOT NULL,
	`accepted_on` integer,
	`revoked_on` integer,
	`accepted_with` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_digest` ON `invitations` (`digest`);--> statement-breakpoint
CREATE INDEX `invitations_org` ON `invitations` (`org_id`,`created_on`);--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`email`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`digest` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text,
	`detail` text NOT NULL,
	`expires_on` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tickets_org` ON `tickets` (`org_id`);--> statement-breakpoint
CREATE INDEX `tickets_user` ON `tickets` (`user_id`);--> statement-breakpoint
CREATE INDEX `tickets_expires_on` ON `tickets` (`expires_on`);--> statement-breakpoint
ALTER TABLE `credentials` ADD `replaced_by_id` text;--> statement-breakpoint
CREATE INDEX `credentials_expires_on` ON `credentials` (`kind`,`expires_on`);