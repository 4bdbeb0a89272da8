import { databaseTypes, type DatabaseType } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { databases } from './databases.ts'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'

// The expected text of every dialect, or that it is not supported.

type Expected = Partial<Record<DatabaseType, string | 'not supported'>>

describe('Decisions 3: a column in each dialect', () => {
  const columns: Record<string, [Partial<TypeAttribute>, Expected]> = {
    'a string is unbounded text': [
      {},
      {
        postgresql: '"x" TEXT NOT NULL',
        mysql: '`x` LONGTEXT NOT NULL',
        hsql: '"x" VARCHAR(16777216) NOT NULL',
        oracle: '"x" CLOB NOT NULL',
        mssql: '[x] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL',
      },
    ],
    'a string with a maximum has it': [{ maxLength: 40, nullable: true }, varchar(40, true)],
    'a unique string has 255 characters': [{ unique: true }, varchar(255)],
    'an indexed string has 255 characters': [{ indexed: true }, varchar(255)],
    'a string with choices has 255 characters': [{ choices: ['a'] }, varchar(255)],
    'a guid': [
      { format: 'guid' },
      {
        postgresql: '"x" UUID NOT NULL',
        mysql:
          "`x` CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL CHECK (`x` REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')",
        hsql: `"x" VARCHAR_IGNORECASE(36) NOT NULL CHECK (REGEXP_MATCHES("x", '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'))`,
        oracle: `"x" VARCHAR2(36 CHAR) NOT NULL CHECK (REGEXP_LIKE("x", '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'c'))`,
        mssql: '[x] UNIQUEIDENTIFIER NOT NULL',
      },
    ],
    'an integer has 64 bits': [
      { dataType: 'integer', defaultValue: '-9223372036854775808' },
      {
        postgresql: '"x" BIGINT DEFAULT -9223372036854775808 NOT NULL',
        mysql: '`x` BIGINT DEFAULT -9223372036854775808 NOT NULL',
        hsql: '"x" BIGINT DEFAULT -9223372036854775808 NOT NULL',
        oracle: '"x" NUMBER(19) DEFAULT -9223372036854775808 NOT NULL',
        mssql: '[x] BIGINT DEFAULT -9223372036854775808 NOT NULL',
      },
    ],
    'an integer of 32 bits': [
      { dataType: 'integer', format: 'int32' },
      {
        postgresql: '"x" INTEGER NOT NULL',
        mysql: '`x` INTEGER NOT NULL',
        hsql: '"x" INTEGER NOT NULL',
        oracle: '"x" NUMBER(10) NOT NULL',
        mssql: '[x] INT NOT NULL',
      },
    ],
    'a float is double precision': [
      { dataType: 'float' },
      {
        postgresql: '"x" DOUBLE PRECISION NOT NULL',
        mysql: '`x` DOUBLE NOT NULL',
        hsql: '"x" DOUBLE NOT NULL',
        oracle: '"x" BINARY_DOUBLE NOT NULL',
        mssql: '[x] FLOAT(53) NOT NULL',
      },
    ],
    'a double with a precision is decimal': [
      { dataType: 'double', precision: 12, scale: 2 },
      {
        postgresql: '"x" NUMERIC(12, 2) NOT NULL',
        mysql: '`x` DECIMAL(12, 2) NOT NULL',
        hsql: '"x" DECIMAL(12, 2) NOT NULL',
        oracle: '"x" NUMBER(12, 2) NOT NULL',
        mssql: '[x] DECIMAL(12, 2) NOT NULL',
      },
    ],
    'a decimal without precision has the maximum width': [
      { dataType: 'double', format: 'decimal' },
      {
        postgresql: '"x" NUMERIC NOT NULL',
        mysql: '`x` DECIMAL(65, 27) NOT NULL',
        hsql: '"x" DECIMAL(100, 50) NOT NULL',
        oracle: '"x" NUMBER NOT NULL',
        mssql: '[x] DECIMAL(38, 10) NOT NULL',
      },
    ],
    'a boolean': [
      { dataType: 'boolean', defaultValue: 'true' },
      {
        postgresql: '"x" BOOLEAN DEFAULT TRUE NOT NULL',
        mysql: '`x` BOOLEAN DEFAULT TRUE NOT NULL',
        hsql: '"x" BOOLEAN DEFAULT TRUE NOT NULL',
        oracle: '"x" NUMBER(1) DEFAULT 1 NOT NULL CHECK ("x" IN (0, 1))',
        mssql: '[x] BIT DEFAULT 1 NOT NULL',
      },
    ],
    'a timestamp, converted to UTC': [
      { dataType: 'dateTime', defaultValue: '2026-03-01T00:30:00.123456+02:00' },
      {
        postgresql: `"x" TIMESTAMP DEFAULT TIMESTAMP '2026-02-28 22:30:00.123456' NOT NULL`,
        mysql: "`x` DATETIME(6) DEFAULT '2026-02-28 22:30:00.123456' NOT NULL",
        hsql: `"x" TIMESTAMP(6) DEFAULT TIMESTAMP '2026-02-28 22:30:00.123456' NOT NULL`,
        oracle: `"x" TIMESTAMP(6) DEFAULT TIMESTAMP '2026-02-28 22:30:00.123456' NOT NULL`,
        mssql: `[x] DATETIME2(6) DEFAULT '2026-02-28T22:30:00.123456' NOT NULL`,
      },
    ],
    'a date': [{ dataType: 'dateTime', format: 'date' }, sameType('DATE')],
    'a time of day': [
      { dataType: 'dateTime', format: 'time' },
      {
        postgresql: '"x" TIME NOT NULL',
        mysql: '`x` TIME(6) NOT NULL',
        hsql: '"x" TIME(6) NOT NULL',
        oracle: '"x" INTERVAL DAY(1) TO SECOND(6) NOT NULL',
        mssql: '[x] TIME(6) NOT NULL',
      },
    ],
    'an object is JSON': [
      { dataType: 'object' },
      {
        postgresql: '"x" JSONB NOT NULL',
        mysql: '`x` JSON NOT NULL',
        hsql: '"x" VARCHAR(16777216) NOT NULL',
        oracle: '"x" CLOB NOT NULL CHECK ("x" IS JSON)',
        mssql: `[x] NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL CHECK (ISJSON(N'[' + [x] + N']') = 1 AND ISJSON(N'{"v":' + [x] + N'}') = 1)`,
      },
    ],
    bytes: [
      { dataType: 'object', format: 'binary' },
      {
        postgresql: '"x" BYTEA NOT NULL',
        mysql: '`x` LONGBLOB NOT NULL',
        hsql: '"x" VARBINARY(16777216) NOT NULL',
        oracle: '"x" BLOB NOT NULL',
        mssql: '[x] VARBINARY(MAX) NOT NULL',
      },
    ],
    'choices with quotes and characters special to command-line tools': [
      { choices: ["it's", 'R&D', '$(x)', 'a\\b', 'a\nb'] },
      {
        postgresql: `CHECK ("x" IN ('it''s', 'R&D', '$(x)', E'a\\\\b', 'a\nb'))`,
        mysql: "CHECK (`x` IN ('it''s', 'R&D', '$(x)', CONCAT('a', CHAR(92 USING utf8mb4), 'b'), 'a\nb'))",
        hsql: `CHECK ("x" IN ('it''s', 'R&D', '$(x)', 'a\\b', 'a\nb'))`,
        oracle: `CHECK ("x" IN ('it''s', 'R' || CHR(38) || 'D', '$(x)', 'a\\b', 'a' || CHR(10) || 'b'))`,
        mssql: `CHECK ([x] IN (N'it''s', N'R&D', N'$' + N'(x)', N'a\\b', N'a' + NCHAR(10) + N'b') AND [x] NOT LIKE N'% ')`,
      },
    ],
    'an empty default': [
      { defaultValue: '', maxLength: 5 },
      {
        postgresql: `"x" VARCHAR(5) DEFAULT '' NOT NULL`,
        mysql: "`x` VARCHAR(5) DEFAULT '' NOT NULL",
        hsql: `"x" VARCHAR(5) DEFAULT '' NOT NULL`,
        oracle: 'not supported',
        mssql: `[x] NVARCHAR(5) COLLATE Latin1_General_100_BIN2 DEFAULT N'' NOT NULL`,
      },
    ],
  }

  describe.each(Object.entries(columns))('%s', (_title, [given, expected]) => {
    it.each(entriesOf(expected))('%s', (type, text) => {
      const script = scriptOf(type, [
        anEntity({ name: 'T', typeAttributes: aList(aTypeAttribute({ name: 'x', ...given })) }),
      ])
      const isSupported = text !== 'not supported'
      expect(script.includes(isSupported ? text : 'DEFAULT')).toBe(isSupported)
    })
  })
})

describe('Decisions 7: a table in each dialect', () => {
  const person = anEntity({
    name: 'Person',
    description: 'A human',
    typeAttributes: aList(aKey({ description: 'Its number' })),
  })
  const pet = (onDelete: 'restrict' | 'cascade' | 'setNull') =>
    anEntity({
      name: 'Pet',
      typeAttributes: [],
      entityAttributes: [aRelationship(person, { foreignKeyTypeAttribute: 'owner', unique: true, onDelete })],
    })
  const reference = 'ALTER TABLE "Pet" ADD CONSTRAINT "fk_Pet_owner" FOREIGN KEY ("owner") REFERENCES "Person" ("id")'
  const tables: Record<string, [EntityNode[], Expected]> = {
    'a generated key': [
      [person],
      {
        postgresql: '"id" BIGINT GENERATED BY DEFAULT AS IDENTITY NOT NULL',
        mysql: '`id` BIGINT AUTO_INCREMENT NOT NULL',
        hsql: '"id" BIGINT GENERATED BY DEFAULT AS IDENTITY (START WITH 1) NOT NULL',
        oracle: '"id" NUMBER(19) GENERATED BY DEFAULT AS IDENTITY NOT NULL',
        mssql: '[id] BIGINT IDENTITY(1,1) NOT NULL',
      },
    ],
    'a comment of a table': [
      [person],
      {
        postgresql: `COMMENT ON TABLE "Person" IS 'A human';`,
        mysql: "COMMENT='A human';",
        hsql: `COMMENT ON TABLE "Person" IS 'A human';`,
        oracle: `COMMENT ON TABLE "Person" IS 'A human';`,
        mssql: `EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'A human', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Person';`,
      },
    ],
    'a comment of a column': [
      [person],
      {
        postgresql: `COMMENT ON COLUMN "Person"."id" IS 'Its number';`,
        mysql: "`id` BIGINT AUTO_INCREMENT NOT NULL COMMENT 'Its number'",
        hsql: `COMMENT ON COLUMN "Person"."id" IS 'Its number';`,
        oracle: `COMMENT ON COLUMN "Person"."id" IS 'Its number';`,
        mssql: `@level1name = N'Person', @level2type = N'COLUMN', @level2name = N'id';`,
      },
    ],
    'a unique column that allows several nulls': [
      [person, pet('restrict')],
      {
        postgresql: 'CONSTRAINT "uq_Pet_owner" UNIQUE ("owner")',
        mysql: 'CONSTRAINT `uq_Pet_owner` UNIQUE (`owner`)',
        hsql: 'CONSTRAINT "uq_Pet_owner" UNIQUE ("owner")',
        oracle: 'CONSTRAINT "uq_Pet_owner" UNIQUE ("owner")',
        mssql: 'CREATE UNIQUE INDEX [uq_Pet_owner] ON [Pet] ([owner]) WHERE [owner] IS NOT NULL;',
      },
    ],
    'on delete restrict': [
      [person, pet('restrict')],
      {
        postgresql: `${reference} ON DELETE RESTRICT;`,
        mysql: `${reference.replaceAll('"', '`')} ON DELETE RESTRICT;`,
        hsql: `${reference};`,
        oracle: `${reference};`,
        mssql: `${inBrackets(reference)};`,
      },
    ],
    'on delete cascade': [[person, pet('cascade')], allReferences(reference, ' ON DELETE CASCADE;')],
    'on delete set null': [[person, pet('setNull')], allReferences(reference, ' ON DELETE SET NULL;')],
  }

  describe.each(Object.entries(tables))('%s', holds('M2.176'), (_title, [entities, expected]) => {
    it.each(entriesOf(expected))('%s', (type, text) => {
      expect(scriptOf(type, entities)).toContain(text)
    })
  })

  it.each(databaseTypes)('%s: every reserved word can be the name of a column', type => {
    const words = [...databases[type].reserved]
    const script = scriptOf(type, [
      anEntity({ name: 'T', typeAttributes: aList(...words.map(name => aTypeAttribute({ name }))) }),
    ])
    for (const word of words)
      expect(script).toMatch(new RegExp(`^ {2}(["\`]|\\[)${word}(["\`]|\\]|_[0-9a-f]{8}) `, 'm'))
  })
})

function entriesOf(expected: Expected): [DatabaseType, string][] {
  return databaseTypes.flatMap((type): [DatabaseType, string][] => {
    const text = expected[type]
    return text === undefined ? [] : [[type, text]]
  })
}

function scriptOf(type: DatabaseType, entities: readonly EntityNode[]): string {
  return databaseScript(aResolvedModel(entities), type, { applyAutoIncrement: true }).sql
}

function varchar(length: number, nullable = false): Expected {
  const required = nullable ? '' : ' NOT NULL'
  return {
    postgresql: `"x" VARCHAR(${length})${required}`,
    mysql: `\`x\` VARCHAR(${length})${required}`,
    hsql: `"x" VARCHAR(${length})${required}`,
    oracle: `"x" VARCHAR2(${length} CHAR)${required}`,
    mssql: `[x] NVARCHAR(${length}) COLLATE Latin1_General_100_BIN2${nullable ? ' NULL' : required}`,
  }
}

function sameType(type: string): Expected {
  const quoted = `"x" ${type} NOT NULL`
  return {
    postgresql: quoted,
    mysql: `\`x\` ${type} NOT NULL`,
    hsql: quoted,
    oracle: quoted,
    mssql: `[x] ${type} NOT NULL`,
  }
}

function allReferences(reference: string, action: string): Expected {
  const standard = `${reference}${action}`
  return {
    postgresql: standard,
    mysql: standard.replaceAll('"', '`'),
    hsql: standard,
    oracle: standard,
    mssql: inBrackets(standard),
  }
}

function inBrackets(text: string): string {
  return text.replace(/"([^"]*)"/g, '[$1]')
}
