-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Everything` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `title` LONGTEXT DEFAULT (CONCAT('it''s a ', CHAR(92 USING utf8mb4), ' default')) NOT NULL,
  `code` VARCHAR(255) NOT NULL COMMENT 'A code; GO -- not a comment',
  `nickname` VARCHAR(255),
  `alias` VARCHAR(255),
  `short` VARCHAR(20) DEFAULT 'short' NOT NULL,
  `tooLong` VARCHAR(3) NOT NULL,
  `face` VARCHAR(1) DEFAULT '😀',
  `long` VARCHAR(5000),
  `status` VARCHAR(255) DEFAULT 'open' NOT NULL,
  `answer` VARCHAR(255) DEFAULT '',
  `guid` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT '6f9619ff-8b86-d011-b42d-00c04fc964ff' CHECK (`guid` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  `prose` LONGTEXT DEFAULT ('once'),
  `whole` BIGINT DEFAULT 9223372036854775807 NOT NULL,
  `whole16` SMALLINT DEFAULT -32768 NOT NULL,
  `whole32` INTEGER,
  `rating` BIGINT,
  `state` BIGINT,
  `price` DECIMAL(12, 2) DEFAULT 0.1 NOT NULL,
  `ratio` DOUBLE DEFAULT 0.0015 NOT NULL,
  `weight` DOUBLE,
  `farAway` DOUBLE DEFAULT -1.25e+300,
  `scaled` DECIMAL(40, 30) DEFAULT 0.1,
  `manyDigits` DECIMAL(65, 27) DEFAULT 0.1234567890123456789 NOT NULL,
  `exact` DECIMAL(65, 27),
  `huge` DECIMAL(60, 30),
  `active` BOOLEAN DEFAULT TRUE NOT NULL CHECK (`active` IN (0, 1)),
  `hidden` BOOLEAN CHECK (`hidden` IN (0, 1)),
  `happened` DATETIME(6) DEFAULT '2026-02-03 04:05:06' NOT NULL CHECK (YEAR(`happened`) * MONTH(`happened`) * DAY(`happened`) > 0),
  `day` DATE DEFAULT '2024-02-29' NOT NULL CHECK (YEAR(`day`) * MONTH(`day`) * DAY(`day`) > 0),
  `noDay` DATE CHECK (YEAR(`noDay`) * MONTH(`noDay`) * DAY(`noDay`) > 0),
  `hour` TIME(6) DEFAULT '23:59:00' CHECK (`hour` BETWEEN '00:00:00' AND '23:59:59.999999'),
  `data` JSON DEFAULT ('{"a": "it''s"}'),
  `json` JSON,
  `document` LONGTEXT,
  `bytes` LONGBLOB,
  `uniqueObject` JSON,
  CONSTRAINT `pk_Everything` PRIMARY KEY (`id`),
  CONSTRAINT `uq_Everything_code` UNIQUE (`code`),
  CONSTRAINT `uq_Everything_nickname` UNIQUE (`nickname`),
  CONSTRAINT `ck_Everything_status` CHECK (`status` IN ('open', 'won''t', CONCAT('back', CHAR(92 USING utf8mb4), 'slash'), 'line
break', 'R&D $(x)')),
  CONSTRAINT `ck_Everything_answer` CHECK (`answer` IN ('', 'yes', 'no')),
  CONSTRAINT `ck_Everything_rating` CHECK (`rating` IN (1, 2, 3))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */ COMMENT='Holds one attribute of each kind: it''s long,
has a second line & a \\ backslash.';

ALTER TABLE `Everything`
  ADD INDEX `ix_Everything_alias` (`alias`),
  ADD INDEX `ix_Everything_rating` (`rating`);

-- 14 notes: differences of this schema from the model.
-- Everything.code: 'code' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.nickname: 'nickname' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.alias: 'alias' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Everything.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Everything.whole32: The default value of 'whole32' does not fit its column: it is left out.
-- Everything.noDay: The default value of 'noDay' does not fit its column: it is left out.
-- Everything.uniqueObject: 'uniqueObject' cannot be unique or indexed with its data type: it is neither.
-- Everything.state: The choices of 'state' do not fit its data type: they are not checked.
-- Everything.scaled: 'scaled' is stored with precision 40 and scale 30 on this database.
-- Everything.manyDigits: 'manyDigits' is rounded to 27 decimal places on this database.
-- Everything.exact: 'exact' is rounded to 27 decimal places on this database.
-- Everything.huge: 'huge' is stored with precision 60 and scale 30 on this database.
-- Everything.long: 'long' is too long for an index: it gets none.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
