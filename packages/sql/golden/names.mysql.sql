-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `select` (
  `from` BIGINT AUTO_INCREMENT NOT NULL,
  `where` LONGTEXT NOT NULL,
  `rowid` LONGTEXT NOT NULL,
  `ROWID2` LONGTEXT NOT NULL,
  CONSTRAINT `pk_select` PRIMARY KEY (`from`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Robert"); DROP TABLE "select"; --` (
  `ключ` BIGINT AUTO_INCREMENT NOT NULL,
  `a name that goes on and on a name that goes on and on a_a829f899` BIGINT,
  `a``b` LONGTEXT NOT NULL,
  `a]b` LONGTEXT NOT NULL,
  `a"b` LONGTEXT NOT NULL,
  `a'b` LONGTEXT NOT NULL,
  `a\b` LONGTEXT NOT NULL,
  `a_GO_b_8b6cea06` LONGTEXT NOT NULL,
  `$(path) & more` LONGTEXT NOT NULL,
  `__b34a1daa` LONGTEXT NOT NULL,
  `___d1bdaafd` LONGTEXT NOT NULL,
  `naïve` LONGTEXT NOT NULL,
  `naive` LONGTEXT NOT NULL,
  `xmin` LONGTEXT NOT NULL,
  `ROWID` LONGTEXT NOT NULL,
  `db_row_id_629e5584` LONGTEXT NOT NULL,
  `__9f6f2892` LONGTEXT NOT NULL,
  `a name that goes on and on a name that goes on and on a_66e2c12b` VARCHAR(255) NOT NULL,
  `a name that goes on and on a name that goes on and on a_4dce38ab` VARCHAR(255) NOT NULL COMMENT 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and …',
  `choice` VARCHAR(255) NOT NULL,
  CONSTRAINT `pk_Robert"); DROP TABLE "select"; --` PRIMARY KEY (`ключ`),
  CONSTRAINT `uq_Robert"); DROP TABLE "select"; --_a name that goes o_dc8f2977` UNIQUE (`a name that goes on and on a name that goes on and on a_66e2c12b`),
  CONSTRAINT `ck_Robert"); DROP TABLE "select"; --_choice` CHECK (`choice` IN ('''; DROP TABLE x; --', '😀', CONCAT(CHAR(92 USING utf8mb4))))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */ COMMENT='''; DROP TABLE "select"; -- */   ‮ �';

CREATE TABLE `#temporary` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_#temporary` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `pg_class` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `temporaryId` BIGINT,
  CONSTRAINT `pk_pg_class` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `a name that goes on and on a name that goes on and on a_d9e77d16` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_a name that goes on and on a name that goes on and o_b33b6e52` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `a name that goes on and on a name that goes on and on a_b3e502ad` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `twinId` BIGINT,
  CONSTRAINT `pk_a name that goes on and on a name that goes on and o_8d38f3e9` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表_f25162a5` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `-- x` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_-- x` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Robert"); DROP TABLE "select"; --`
  ADD INDEX `ix_Robert"); DROP TABLE "select"; --_a name that goes o_5be89ff0` (`a name that goes on and on a name that goes on and on a_a829f899`),
  ADD INDEX `ix_Robert"); DROP TABLE "select"; --_a name that goes o_50feeb42` (`a name that goes on and on a name that goes on and on a_4dce38ab`);

ALTER TABLE `pg_class` ADD INDEX `ix_pg_class_temporaryId` (`temporaryId`);

ALTER TABLE `a name that goes on and on a name that goes on and on a_b3e502ad` ADD INDEX `ix_a name that goes on and on a name that goes on and o_2dea8bc5` (`twinId`);

ALTER TABLE `Robert"); DROP TABLE "select"; --` ADD CONSTRAINT `fk_Robert"); DROP TABLE "select"; --_a name that goes o_0b8b56b4` FOREIGN KEY (`a name that goes on and on a name that goes on and on a_a829f899`) REFERENCES `select` (`from`) ON DELETE RESTRICT;

ALTER TABLE `pg_class` ADD CONSTRAINT `fk_pg_class_temporaryId` FOREIGN KEY (`temporaryId`) REFERENCES `#temporary` (`id`) ON DELETE RESTRICT;

ALTER TABLE `a name that goes on and on a name that goes on and on a_b3e502ad` ADD CONSTRAINT `fk_a name that goes on and on a name that goes on and o_a1393921` FOREIGN KEY (`twinId`) REFERENCES `a name that goes on and on a name that goes on and on a_d9e77d16` (`id`) ON DELETE RESTRICT;

-- 16 notes: differences of this schema from the model.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on one' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on three' is written as 'a name that goes on and on a name that goes on and on a_a829f899' on this database.
-- Robert )  DROP TABLE  select   -.a‹U+000A›GO‹U+000A›b: 'a‹U+000A›GO‹U+000A›b' is written as 'a_GO_b_8b6cea06' on this database.
-- Robert )  DROP TABLE  select   -. : ' ' is written as '__b34a1daa' on this database.
-- Robert )  DROP TABLE  select   -.  : '  ' is written as '___d1bdaafd' on this database.
-- Robert )  DROP TABLE  select   -.db_row_id: 'db_row_id' is written as 'db_row_id_629e5584' on this database.
-- Robert )  DROP TABLE  select   -.‹U+0007›: '‹U+0007›' is written as '__9f6f2892' on this database.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   n a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on one' is written as 'a name that goes on and on a name that goes on and on a_66e2c12b' on this database.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and   n a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' is written as 'a name that goes on and on a name that goes on and on a_4dce38ab' on this database.
-- a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on A' is written as 'a name that goes on and on a name that goes on and on a_d9e77d16' on this database.
-- a name that goes on and on a name that goes on and on a name: 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and    on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on B' is written as 'a name that goes on and on a name that goes on and on a_b3e502ad' on this database.
-- 表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表: '表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表' is written as '表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表表_f25162a5' on this database.
-- Robert )  DROP TABLE  select   -: The description of 'Robert )  DROP TABLE  select   -' has characters that this database or its tools do not support: they are replaced.
-- Robert )  DROP TABLE  select   -.a name that goes on and on a name that goes on and on a name: The description of 'a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a na   that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on a name that goes on and on two' is longer than this database allows: it is shortened.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
