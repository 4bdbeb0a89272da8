-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Item` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `small` SMALLINT,
  `count` INTEGER,
  `big` BIGINT,
  `digits` NUMERIC(20),
  `price` DECIMAL(10, 2),
  `rate` DECIMAL(8, 4),
  `open` DECIMAL(65, 27),
  `ratio` DOUBLE,
  `single` FLOAT,
  `code` VARCHAR(20) NOT NULL,
  `other` VARCHAR(40),
  `note` LONGTEXT,
  `guid` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`guid` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `active` BOOLEAN CHECK (`active` IN (0, 1)),
  `born` DATE CHECK (YEAR(`born`) * MONTH(`born`) * DAY(`born`) > 0),
  `died` DATE CHECK (YEAR(`died`) * MONTH(`died`) * DAY(`died`) > 0),
  `opens` TIME(6) CHECK (`opens` BETWEEN '00:00:00' AND '23:59:59.999999'),
  `made` DATETIME(6) CHECK (YEAR(`made`) * MONTH(`made`) * DAY(`made`) > 0),
  `seen` DATETIME(6) CHECK (YEAR(`seen`) * MONTH(`seen`) * DAY(`seen`) > 0),
  `sent` DATETIME(6) COMMENT '[UTC]' CHECK (YEAR(`sent`) * MONTH(`sent`) * DAY(`sent`) > 0),
  CONSTRAINT `pk_Item` PRIMARY KEY (`id`),
  CONSTRAINT `ck_price` CHECK (`price` >= 0 AND (`rate` IS NULL OR `rate` < `price`)),
  CONSTRAINT `ck_Item_count_small_active` CHECK (NOT (`count` >= 1 AND `count` <= 5) OR NOT (`small` IN (1, -2)) OR `active` = TRUE),
  CONSTRAINT `ck_Item_code_other` CHECK (CHAR_LENGTH(TRIM(`code`)) > 0 AND `code` = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(`code`, 'a', 'A'), 'b', 'B'), 'c', 'C'), 'd', 'D'), 'e', 'E'), 'f', 'F'), 'g', 'G'), 'h', 'H'), 'i', 'I'), 'j', 'J'), 'k', 'K'), 'l', 'L'), 'm', 'M'), 'n', 'N'), 'o', 'O'), 'p', 'P'), 'q', 'Q'), 'r', 'R'), 's', 'S'), 't', 'T'), 'u', 'U'), 'v', 'V'), 'w', 'W'), 'x', 'X'), 'y', 'Y'), 'z', 'Z') AND `other` <> REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(`other`, 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z')),
  CONSTRAINT `ck_Item_code_other_note` CHECK (CONCAT(`code`, '-', COALESCE(`other`, 'it''s')) <> 'x' OR `note` IS NOT NULL),
  CONSTRAINT `ck_Item_price_rate_count_small` CHECK ((CAST(`price` AS DECIMAL(10, 2)) * 2) - (CAST(`rate` AS DECIMAL(8, 4)) + 1) <> 0.5 AND CAST(`count` AS DECIMAL(10, 0)) * CAST(`small` AS DECIMAL(5, 0)) > -1),
  CONSTRAINT `ck_Item_born_made_died` CHECK (EXTRACT(YEAR FROM `born`) >= 1900 AND EXTRACT(MONTH FROM `born`) <> 2 OR EXTRACT(DAY FROM `made`) = 1 AND `born` <= COALESCE(`died`, DATE '9999-12-31')),
  CONSTRAINT `ck_Item_sent_guid_opens_ratio` CHECK (`sent` > TIMESTAMP '2026-01-01 00:00:00' OR `guid` = '6f9619ff-8b86-d011-b42d-00cf4fc964ff' OR `opens` < TIME '12:00:00' OR `ratio` <= 0.5),
  CONSTRAINT `ck_Item_note` CHECK (`note` <> '')
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Special` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `small` SMALLINT,
  `count` INTEGER,
  `big` BIGINT,
  `digits` NUMERIC(20),
  `price` DECIMAL(10, 2),
  `rate` DECIMAL(8, 4),
  `open` DECIMAL(65, 27),
  `ratio` DOUBLE,
  `single` FLOAT,
  `code` VARCHAR(20) NOT NULL,
  `other` VARCHAR(40),
  `note` LONGTEXT,
  `guid` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci CHECK (`guid` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `active` BOOLEAN CHECK (`active` IN (0, 1)),
  `born` DATE CHECK (YEAR(`born`) * MONTH(`born`) * DAY(`born`) > 0),
  `died` DATE CHECK (YEAR(`died`) * MONTH(`died`) * DAY(`died`) > 0),
  `opens` TIME(6) CHECK (`opens` BETWEEN '00:00:00' AND '23:59:59.999999'),
  `made` DATETIME(6) CHECK (YEAR(`made`) * MONTH(`made`) * DAY(`made`) > 0),
  `seen` DATETIME(6) CHECK (YEAR(`seen`) * MONTH(`seen`) * DAY(`seen`) > 0),
  `sent` DATETIME(6) COMMENT '[UTC]' CHECK (YEAR(`sent`) * MONTH(`sent`) * DAY(`sent`) > 0),
  `extra` BIGINT NOT NULL,
  CONSTRAINT `pk_Special` PRIMARY KEY (`id`),
  CONSTRAINT `ck_price_Special` CHECK (`price` >= 0 AND (`rate` IS NULL OR `rate` < `price`)),
  CONSTRAINT `ck_Special_count_small_active` CHECK (NOT (`count` >= 1 AND `count` <= 5) OR NOT (`small` IN (1, -2)) OR `active` = TRUE),
  CONSTRAINT `ck_Special_code_other` CHECK (CHAR_LENGTH(TRIM(`code`)) > 0 AND `code` = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(`code`, 'a', 'A'), 'b', 'B'), 'c', 'C'), 'd', 'D'), 'e', 'E'), 'f', 'F'), 'g', 'G'), 'h', 'H'), 'i', 'I'), 'j', 'J'), 'k', 'K'), 'l', 'L'), 'm', 'M'), 'n', 'N'), 'o', 'O'), 'p', 'P'), 'q', 'Q'), 'r', 'R'), 's', 'S'), 't', 'T'), 'u', 'U'), 'v', 'V'), 'w', 'W'), 'x', 'X'), 'y', 'Y'), 'z', 'Z') AND `other` <> REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(`other`, 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z')),
  CONSTRAINT `ck_Special_code_other_note` CHECK (CONCAT(`code`, '-', COALESCE(`other`, 'it''s')) <> 'x' OR `note` IS NOT NULL),
  CONSTRAINT `ck_Special_price_rate_count_small` CHECK ((CAST(`price` AS DECIMAL(10, 2)) * 2) - (CAST(`rate` AS DECIMAL(8, 4)) + 1) <> 0.5 AND CAST(`count` AS DECIMAL(10, 0)) * CAST(`small` AS DECIMAL(5, 0)) > -1),
  CONSTRAINT `ck_Special_born_made_died` CHECK (EXTRACT(YEAR FROM `born`) >= 1900 AND EXTRACT(MONTH FROM `born`) <> 2 OR EXTRACT(DAY FROM `made`) = 1 AND `born` <= COALESCE(`died`, DATE '9999-12-31')),
  CONSTRAINT `ck_Special_sent_guid_opens_ratio` CHECK (`sent` > TIMESTAMP '2026-01-01 00:00:00' OR `guid` = '6f9619ff-8b86-d011-b42d-00cf4fc964ff' OR `opens` < TIME '12:00:00' OR `ratio` <= 0.5),
  CONSTRAINT `ck_Special_note` CHECK (`note` <> ''),
  CONSTRAINT `ck_extra` CHECK (`extra` > `count`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Owned` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `weight` BIGINT NOT NULL,
  `owner` BIGINT,
  CONSTRAINT `pk_Owned` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Owned` ADD INDEX `ix_Owned_owner` (`owner`);

ALTER TABLE `Owned` ADD CONSTRAINT `fk_Owned_owner` FOREIGN KEY (`owner`) REFERENCES `Item` (`id`) ON DELETE SET NULL;

-- 8 notes: differences of this schema from the model.
-- Special: The check 'code   1' is left out: 'code   1' compares a text with a number.
-- Special: The check 'gone   1' is left out: There is no attribute 'gone'.
-- Item.open: 'open' is rounded to 27 decimal places on this database.
-- Item: The check 'ck_Item_id' is left out: this database checks no column that it sets or generates, such as 'id'.
-- Special.open: 'open' is rounded to 27 decimal places on this database.
-- Special: The check 'ck_Special_id' is left out: this database checks no column that it sets or generates, such as 'id'.
-- Owned: The check 'ck_owner' is left out: this database checks no column that it sets or generates, such as 'owner'.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
