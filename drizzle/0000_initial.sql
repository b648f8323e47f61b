CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`change_type` text NOT NULL,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`created_by_type` text NOT NULL,
	`version` integer NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `changes_org` ON `changes` (`org_id`);--> statement-breakpoint
CREATE INDEX `changes_entity_type` ON `changes` (`org_id`,`entity_type`);--> statement-breakpoint
CREATE INDEX `changes_entity` ON `changes` (`org_id`,`entity_type`,`entity_id`);--> statement-breakpoint
CREATE INDEX `changes_created_on` ON `changes` (`org_id`,`created_on`);--> statement-breakpoint
CREATE INDEX `changes_unloaded` ON `changes` (`org_id`) WHERE created_by_type <> 'loader';--> statement-breakpoint
CREATE TABLE `clocks` (
	`org_id` text PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`history_floor` integer DEFAULT 0 NOT NULL,
	`heard_seq` integer
);
--> statement-breakpoint
CREATE TABLE `entities` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`created_on` integer NOT NULL,
	`updated_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`updated_by_id` text NOT NULL,
	`data` text NOT NULL,
	`type_path` text GENERATED ALWAYS AS ((data ->> '$.typePath')) VIRTUAL,
	`name` text GENERATED ALWAYS AS ((data ->> '$.name')) VIRTUAL,
	`federated_id` text GENERATED ALWAYS AS ((data ->> '$.federatedId')) VIRTUAL,
	`federated_scope` text GENERATED ALWAYS AS ((CASE kind WHEN 'custom-entity' THEN data ->> '$.typePath' ELSE kind END)) VIRTUAL,
	`identifier` text GENERATED ALWAYS AS ((data ->> '$.identifier')) VIRTUAL,
	`item_family_id` text GENERATED ALWAYS AS ((data ->> '$.itemFamilyId')) VIRTUAL,
	`item_id` text GENERATED ALWAYS AS ((data ->> '$.itemId')) VIRTUAL,
	`project_id` text GENERATED ALWAYS AS ((data ->> '$.projectId')) VIRTUAL,
	`assortment_id` text GENERATED ALWAYS AS ((data ->> '$.assortmentId')) VIRTUAL,
	`project_item_id` text GENERATED ALWAYS AS ((data ->> '$.projectItemId')) VIRTUAL,
	`workspace_id` text GENERATED ALWAYS AS ((data ->> '$.workspaceId')) VIRTUAL,
	`process_id` text GENERATED ALWAYS AS ((data ->> '$.processId')) VIRTUAL,
	`event_workflow_id` text GENERATED ALWAYS AS ((data ->> '$.eventWorkflowId')) VIRTUAL,
	`trigger_key` text GENERATED ALWAYS AS ((data ->> '$.triggerKey')) VIRTUAL,
	`status` text GENERATED ALWAYS AS ((data ->> '$.status')) VIRTUAL,
	CONSTRAINT "entity_size" CHECK(octet_length(data) <= 524288)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entities_id` ON `entities` (`id`);--> statement-breakpoint
CREATE INDEX `entities_created_on` ON `entities` (`org_id`,`kind`,`created_on`);--> statement-breakpoint
CREATE INDEX `entities_updated_on` ON `entities` (`org_id`,`kind`,`updated_on`);--> statement-breakpoint
CREATE INDEX `entities_name` ON `entities` (`org_id`,`kind`,`name`);--> statement-breakpoint
CREATE INDEX `entities_type_path` ON `entities` (`org_id`,`kind`,`type_path`);--> statement-breakpoint
CREATE INDEX `entities_federated_id` ON `entities` (`org_id`,`kind`,`federated_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `entities_federated` ON `entities` (`org_id`,`federated_scope`,`federated_id`) WHERE federated_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `entities_identifier` ON `entities` (`org_id`,`kind`,`identifier`);--> statement-breakpoint
CREATE UNIQUE INDEX `entities_project_item` ON `entities` (`org_id`,`item_id`,`project_id`) WHERE kind = 'project-item';--> statement-breakpoint
CREATE UNIQUE INDEX `entities_assortment_item` ON `entities` (`org_id`,`item_id`,`assortment_id`) WHERE kind = 'assortment-item';--> statement-breakpoint
CREATE UNIQUE INDEX `entities_type` ON `entities` (`org_id`,`type_path`) WHERE kind = 'type';--> statement-breakpoint
CREATE INDEX `entities_item_family_id` ON `entities` (`org_id`,`kind`,`item_family_id`) WHERE item_family_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_item_id` ON `entities` (`org_id`,`kind`,`item_id`) WHERE item_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_project_id` ON `entities` (`org_id`,`kind`,`project_id`) WHERE project_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_assortment_id` ON `entities` (`org_id`,`kind`,`assortment_id`) WHERE assortment_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_project_item_id` ON `entities` (`org_id`,`kind`,`project_item_id`) WHERE project_item_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_workspace_id` ON `entities` (`org_id`,`kind`,`workspace_id`) WHERE workspace_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_process_id` ON `entities` (`org_id`,`kind`,`process_id`) WHERE process_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_event_workflow_id` ON `entities` (`org_id`,`kind`,`event_workflow_id`) WHERE event_workflow_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_trigger_key` ON `entities` (`org_id`,`kind`,`trigger_key`) WHERE trigger_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_status` ON `entities` (`org_id`,`kind`,`status`) WHERE status IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency` (
	`credential_id` text NOT NULL,
	`key` text NOT NULL,
	`org_id` text NOT NULL,
	`digest` text NOT NULL,
	`created_on` integer NOT NULL,
	PRIMARY KEY(`credential_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_created_on` ON `idempotency` (`created_on`);--> statement-breakpoint
CREATE TABLE `idempotency_rows` (
	`credential_id` text NOT NULL,
	`key` text NOT NULL,
	`slice` integer NOT NULL,
	`org_id` text NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`credential_id`, `key`, `slice`)
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`endpoint_name` text NOT NULL,
	`trigger_key` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_on` integer NOT NULL,
	`ends_on` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`created_on` integer NOT NULL,
	`ended_on` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_endpoint` ON `deliveries` (`org_id`,`endpoint_name`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`org_id`,`status`,`due_on`);--> statement-breakpoint
CREATE INDEX `deliveries_created_on` ON `deliveries` (`created_on`);--> statement-breakpoint
CREATE TABLE `endpoints` (
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`include_loads` integer NOT NULL,
	`auth_kind` text NOT NULL,
	`header_name` text,
	`sealed_secret` text,
	`base_url` text NOT NULL,
	`created_on` integer NOT NULL,
	`updated_on` integer NOT NULL,
	PRIMARY KEY(`org_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `published_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`trigger_key` text NOT NULL,
	`event` text NOT NULL,
	`created_by_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `published_events_id` ON `published_events` (`id`);--> statement-breakpoint
CREATE INDEX `published_events_org` ON `published_events` (`org_id`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`digest` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_secrets_org` ON `webhook_secrets` (`org_id`);--> statement-breakpoint
CREATE TABLE `file_parts` (
	`file_id` text NOT NULL,
	`org_id` text NOT NULL,
	`part_number` integer NOT NULL,
	`etag` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`file_id`, `part_number`)
);
--> statement-breakpoint
CREATE TABLE `file_uploads` (
	`file_id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`upload_id` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `load_claims` (
	`load_id` text NOT NULL,
	`space` text NOT NULL,
	`key` text NOT NULL,
	`role` text NOT NULL,
	`line` integer NOT NULL,
	`shared` text NOT NULL,
	`own_line` integer,
	`own_shared` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`load_id`, `space`, `key`)
);
--> statement-breakpoint
CREATE TABLE `load_members` (
	`load_id` text NOT NULL,
	`assortment_id` text NOT NULL,
	`item_id` text NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`load_id`, `assortment_id`, `item_id`)
);
--> statement-breakpoint
CREATE TABLE `loads` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`step` integer NOT NULL,
	`attempts` integer NOT NULL,
	`is_cancelled` integer NOT NULL,
	`state` text NOT NULL,
	`touched_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `loads_id_unique` ON `loads` (`id`);--> statement-breakpoint
CREATE INDEX `loads_org` ON `loads` (`org_id`);--> statement-breakpoint
CREATE TABLE `publishes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`org_id` text NOT NULL,
	`assortment_id` text NOT NULL,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`created_by_type` text NOT NULL,
	`adds` integer NOT NULL,
	`updates` integer NOT NULL,
	`deletes` integer NOT NULL,
	`files` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `publishes_id_unique` ON `publishes` (`id`);--> statement-breakpoint
CREATE INDEX `publishes_assortment` ON `publishes` (`org_id`,`assortment_id`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`digest` text NOT NULL,
	`scope` text NOT NULL,
	`tier` text,
	`created_on` integer NOT NULL,
	`created_by_id` text NOT NULL,
	`last_used_on` integer,
	`expires_on` integer,
	`revoked_on` integer,
	`replaced_by_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_digest` ON `credentials` (`digest`);--> statement-breakpoint
CREATE INDEX `credentials_org` ON `credentials` (`org_id`,`kind`,`created_on`);--> statement-breakpoint
CREATE INDEX `credentials_user` ON `credentials` (`user_id`);--> statement-breakpoint
CREATE INDEX `credentials_expires_on` ON `credentials` (`kind`,`expires_on`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text,
	`created_on` integer NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `memberships_user` ON `memberships` (`user_id`);--> statement-breakpoint
CREATE TABLE `orgs` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`tier` text NOT NULL,
	`created_on` integer NOT NULL,
	`suspended_on` integer,
	`exported_on` integer,
	`deleted_on` integer,
	`history_retention_days` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orgs_slug` ON `orgs` (`slug`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_on` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
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
CREATE INDEX `tickets_expires_on` ON `tickets` (`expires_on`);