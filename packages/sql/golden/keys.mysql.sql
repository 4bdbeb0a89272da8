-- Database schema of Shop for MySQL

SET NAMES utf8mb4;

CREATE TABLE `Composite` (
  `a` VARCHAR(189) NOT NULL,
  `b` VARCHAR(189) NOT NULL,
  `c` VARCHAR(189) NOT NULL,
  `d` VARCHAR(189) NOT NULL,
  `e` BIGINT NOT NULL,
  CONSTRAINT `pk_Composite` PRIMARY KEY (`a`, `b`, `c`, `d`, `e`),
  CONSTRAINT `uq_Composite_d` UNIQUE (`d`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `LongKey` (
  `key` VARCHAR(768) NOT NULL,
  `x` VARCHAR(768) NOT NULL,
  CONSTRAINT `pk_LongKey` PRIMARY KEY (`key`),
  CONSTRAINT `uq_LongKey_x` UNIQUE (`x`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Child` (
  `id` BIGINT AUTO_INCREMENT NOT NULL,
  `d` VARCHAR(189),
  `a` VARCHAR(189),
  `long` VARCHAR(768),
  CONSTRAINT `pk_Child` PRIMARY KEY (`id`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `Keyless` (
  `value` LONGTEXT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `ObjectKey` (
  `id` JSON NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `DateKey` (
  `day` DATE NOT NULL CHECK (YEAR(`day`) * MONTH(`day`) * DAY(`day`) > 0),
  CONSTRAINT `pk_DateKey` PRIMARY KEY (`day`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

CREATE TABLE `ChosenKey` (
  `level` BIGINT AUTO_INCREMENT NOT NULL,
  CONSTRAINT `pk_ChosenKey` PRIMARY KEY (`level`)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

ALTER TABLE `Child`
  ADD INDEX `ix_Child_d` (`d`),
  ADD INDEX `ix_Child_a` (`a`),
  ADD INDEX `ix_Child_long` (`long`);

ALTER TABLE `Child`
  ADD CONSTRAINT `fk_Child_d` FOREIGN KEY (`d`) REFERENCES `Composite` (`d`) ON DELETE RESTRICT,
  ADD CONSTRAINT `fk_Child_long` FOREIGN KEY (`long`) REFERENCES `LongKey` (`key`) ON DELETE RESTRICT;

-- 19 notes: differences of this schema from the model.
-- Composite.a: 'a' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.b: 'b' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.c: 'c' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Composite.d: 'd' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.
-- Child.a: 'a' refers to 'Composite.a', which is neither the primary key nor unique: the column has no constraint.
-- Keyless: 'Keyless' has no primary key: its table has none.
-- ObjectKey.id: 'id' cannot be a key with its data type: the table has no primary key.
-- ChosenKey.level: The default value of 'level' is left out: its values are generated.
-- ChosenKey.level: The choices of 'level' are not checked: its values are generated.
-- Composite.a: 'a' is part of a key: it takes at most 189 characters on this database.
-- Composite.b: 'b' is part of a key: it takes at most 189 characters on this database.
-- Composite.c: 'c' is part of a key: it takes at most 189 characters on this database.
-- Composite.d: 'd' is part of a key: it takes at most 189 characters on this database.
-- LongKey.key: 'key' is part of a key: it takes at most 768 characters on this database.
-- LongKey.x: 'x' is part of a key: it takes at most 768 characters on this database.
-- Child.d: 'd' is part of a key: it takes at most 189 characters on this database.
-- Child.a: 'a' is part of a key: it takes at most 189 characters on this database.
-- Child.long: 'long' is part of a key: it takes at most 768 characters on this database.
-- A server that is not in strict mode changes values of 'Shop' that are too long or too large, instead of refusing them.
