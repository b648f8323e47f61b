CREATE TABLE `load_claims` (
	`load_id` text NOT NULL,
	`space` text NOT NULL,
	`key` text NOT NULL,
	`claim` text NOT NULL,
	PRIMARY KEY(`load_id`, `space`, `key`)
);
