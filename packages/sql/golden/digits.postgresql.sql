-- Database schema of Shop for PostgreSQL

CREATE TABLE "Account" (
  "number" NUMERIC(20) NOT NULL CHECK ("number" - "number" = 0),
  "owner" VARCHAR(40) NOT NULL,
  "holder" UUID NOT NULL,
  "small" NUMERIC(4) DEFAULT 9999 CHECK ("small" - "small" = 0),
  "long" NUMERIC(18) DEFAULT -999999999999999999 CHECK ("long" - "long" = 0),
  "longer" NUMERIC(19) CHECK ("longer" - "longer" = 0),
  "longest" NUMERIC(38) DEFAULT 99999999999999999999999999999999999999 CHECK ("longest" - "longest" = 0),
  "tooLong" NUMERIC(3) CHECK ("tooLong" - "tooLong" = 0),
  "decimal" NUMERIC(20, 0) CHECK ("decimal" - "decimal" = 0),
  CONSTRAINT "pk_Account" PRIMARY KEY ("number"),
  CONSTRAINT "uq_Account_long" UNIQUE ("long"),
  CONSTRAINT "ck_Account_longer" CHECK ("longer" IN (1, 9223372036854775808))
);

CREATE TABLE "Line" (
  "id" NUMERIC(9) NOT NULL CHECK ("id" - "id" = 0),
  "accountNumber" NUMERIC(20) CHECK ("accountNumber" - "accountNumber" = 0),
  "byLong" NUMERIC(18) CHECK ("byLong" - "byLong" = 0),
  CONSTRAINT "pk_Line" PRIMARY KEY ("id")
);

CREATE INDEX "ix_Account_longer" ON "Account" ("longer");

CREATE INDEX "ix_Line_accountNumber" ON "Line" ("accountNumber");

CREATE INDEX "ix_Line_byLong" ON "Line" ("byLong");

ALTER TABLE "Line" ADD CONSTRAINT "fk_Line_accountNumber" FOREIGN KEY ("accountNumber") REFERENCES "Account" ("number") ON DELETE RESTRICT;

ALTER TABLE "Line" ADD CONSTRAINT "fk_Line_byLong" FOREIGN KEY ("byLong") REFERENCES "Account" ("long") ON DELETE RESTRICT;

-- 3 notes: differences of this schema from the model.
-- Account.number: The values of the key 'number' are not generated: databases generate no integers with a precision.
-- Account.tooLong: The default value of 'tooLong' does not fit its column: it is left out.
-- Line.id: The values of the key 'id' are not generated: databases generate no integers with a precision.
