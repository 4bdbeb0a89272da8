-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Currency` (
  `code` CHAR(3) NOT NULL CHECK (CHAR_LENGTH(RTRIM(`code`)) = 3),
  `sign` CHAR(1) DEFAULT '€' CHECK (CHAR_LENGTH(RTRIM(`sign`)) = 1),
  `number` CHAR(255) CHECK (CHAR_LENGTH(RTRIM(`number`)) = 255),
  `face` CHAR(2) DEFAULT '😀x' CHECK (CHAR_LENGTH(RTRIM(`face`)) = 2),
  `short` CHAR(3) CHECK (CHAR_LENGTH(RTRIM(`short`)) = 3),
  `spaced` CHAR(3) CHECK (CHAR_LENGTH(RTRIM(`spaced`)) = 3),
  `long` VARCHAR(256),
  `rate` FLOAT DEFAULT 0.1,
  `step` FLOAT,
  `tooLarge` FLOAT,
  `exact` DECIMAL(5, 2),
  CONSTRAINT `pk_Currency` PRIMARY KEY (`code`),
  CONSTRAINT `uq_Currency_number` UNIQUE (`number`),
  CONSTRAINT `ck_Currency_sign` CHECK (`sign` IN ('€', '$')),
  CONSTRAINT `ck_Currency_step` CHECK (`step` IN (0.5, 0.10000000149011612))
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Price` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `currency` CHAR(3) CHECK (CHAR_LENGTH(RTRIM(`currency`)) = 3),
  CONSTRAINT `pk_Price` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Currency` ADD INDEX `ix_Currency_step` (`step`);

ALTER TABLE `Price` ADD INDEX `ix_Price_currency` (`currency`);

ALTER TABLE `Price` ADD CONSTRAINT `fk_Price_currency` FOREIGN KEY (`currency`) REFERENCES `Currency` (`code`) ON DELETE RESTRICT;

-- 4 notes: differences of this schema from the model.
-- Currency.short: The default value of 'short' does not fit its column: it is left out.
-- Currency.tooLarge: The default value of 'tooLarge' does not fit its column: it is left out.
-- Currency.spaced: The choices of 'spaced' do not fit its data type: they are not checked.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
