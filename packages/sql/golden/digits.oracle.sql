-- Database schema of Shop for Oracle

CREATE TABLE "Account" (
  "number" NUMERIC(20) NOT NULL,
  "owner" VARCHAR2(40 CHAR) NOT NULL,
  "holder" VARCHAR2(36 CHAR) NOT NULL CHECK (REGEXP_LIKE("holder", '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'c')),
  "small" NUMERIC(4) DEFAULT 9999,
  "long" NUMERIC(18) DEFAULT -999999999999999999,
  "longer" NUMERIC(19),
  "longest" NUMERIC(38) DEFAULT 99999999999999999999999999999999999999,
  "tooLong" NUMERIC(3),
  "decimal" NUMBER(20, 0),
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
-- Account.holder: 'holder' accepts only lower-case guids on this database.
