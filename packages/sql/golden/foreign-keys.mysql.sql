-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `OrderLine` (
  `orderNo` BIGINT NOT NULL,
  `lineNo` SMALLINT NOT NULL,
  `sku` VARCHAR(20) NOT NULL,
  `shelf` BIGINT NOT NULL,
  CONSTRAINT `pk_OrderLine` PRIMARY KEY (`lineNo`, `orderNo`),
  CONSTRAINT `uq_OrderLine_sku_shelf` UNIQUE (`sku`, `shelf`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Note` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `line` SMALLINT,
  `place` BIGINT,
  `text` VARCHAR(255),
  `order` BIGINT,
  `article` VARCHAR(20),
  `mistyped` BIGINT,
  `partial` BIGINT,
  CONSTRAINT `pk_Note` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Remark` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `line` SMALLINT,
  `place` BIGINT,
  `text` VARCHAR(255),
  `order` BIGINT,
  `article` VARCHAR(20),
  `mistyped` BIGINT,
  `partial` BIGINT,
  CONSTRAINT `pk_Remark` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Note`
  ADD INDEX `ix_Note_order` (`order`),
  ADD INDEX `ix_Note_article` (`article`),
  ADD INDEX `ix_Note_mistyped` (`mistyped`),
  ADD INDEX `ix_Note_partial` (`partial`);

ALTER TABLE `Remark`
  ADD INDEX `ix_Remark_order` (`order`),
  ADD INDEX `ix_Remark_article` (`article`),
  ADD INDEX `ix_Remark_mistyped` (`mistyped`),
  ADD INDEX `ix_Remark_partial` (`partial`);

ALTER TABLE `Note`
  ADD CONSTRAINT `fk_Note_order` FOREIGN KEY (`line`, `order`) REFERENCES `OrderLine` (`lineNo`, `orderNo`) ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT `fk_Note_article` FOREIGN KEY (`article`, `place`) REFERENCES `OrderLine` (`sku`, `shelf`) ON DELETE SET NULL ON UPDATE SET NULL;

ALTER TABLE `Remark`
  ADD CONSTRAINT `fk_Remark_order` FOREIGN KEY (`line`, `order`) REFERENCES `OrderLine` (`lineNo`, `orderNo`) ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT `fk_Remark_article` FOREIGN KEY (`article`, `place`) REFERENCES `OrderLine` (`sku`, `shelf`) ON DELETE SET NULL ON UPDATE SET NULL;

-- 7 notes: differences of this schema from the model.
-- Note.text: 'text' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Note.mistyped: 'text' of the foreign key 'mistyped' has another type than 'OrderLine.lineNo': it has no constraint.
-- Note.partial: 'OrderLine' has no key and no unique group of exactly the attributes that 'partial' refers to: it has no constraint.
-- Remark.text: 'text' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Remark.mistyped: 'text' of the foreign key 'mistyped' has another type than 'OrderLine.lineNo': it has no constraint.
-- Remark.partial: 'OrderLine' has no key and no unique group of exactly the attributes that 'partial' refers to: it has no constraint.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
