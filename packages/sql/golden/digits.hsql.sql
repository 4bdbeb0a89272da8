-- Database schema of Shop for HSQL

SET DATABASE COLLATION SQL_TEXT NO PAD;

CREATE TABLE "Account" (
  "number" NUMERIC(20) NOT NULL,
  "owner" VARCHAR(40) NOT NULL,
  "holder" VARCHAR_IGNORECASE(36) NOT NULL CHECK (REGEXP_MATCHES("holder", '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}')),
  "small" NUMERIC(4) DEFAULT 9999,
  "long" NUMERIC(18) DEFAULT -999999999999999999,
  "longer" NUMERIC(19),
  "longest" NUMERIC(38) DEFAULT 99999999999999999999999999999999999999,
  "tooLong" NUMERIC(3),
  "decimal" DECIMAL(20, 0),
  CONSTRAINT "pk_Account" PRIMARY KEY ("number"),
  CONSTRAINT "uq_Account_long" UNIQUE ("long"),
  CONSTRAINT "ck_Account_longer" CHECK ("longer" IN (1, 9223372036854775808))
);

CREATE TABLE "Line" (
  "id" NUMERIC(9) NOT NULL,
  "accountNumber" NUMERIC(20),
  "byLong" NUMERIC(18),
  CONSTRAINT "pk_Line" PRIMARY KEY ("id")
);

CREATE INDEX "ix_Account_longer" ON "Account" ("longer");

CREATE INDEX "ix_Line_accountNumber" ON "Line" ("accountNumber");

CREATE INDEX "ix_Line_byLong" ON "Line" ("byLong");

ALTER TABLE "Line" ADD CONSTRAINT "fk_Line_accountNumber" FOREIGN KEY ("accountNumber") REFERENCES "Account" ("number");

ALTER TABLE "Line" ADD CONSTRAINT "fk_Line_byLong" FOREIGN KEY ("byLong") REFERENCES "Account" ("long");

-- 4 notes: differences of this schema from the model.
-- Account.number: The values of the key 'number' are not generated: databases generate no integers with a precision.
-- Account.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Line.id: The values of the key 'id' are not generated: databases generate no integers with a precision.
-- Account.owner: The length of 'owner' is counted in UTF-16 units on this database: an emoji counts as two characters.
