import type { Operation, Selection } from '@cadmus/model/api/operation'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import type { RunDatabase } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { aShop, everyRecord } from '../testing/shop.ts'
import { statementKinds } from '../testing/statement-kinds.ts'
import { compileApi } from './compile.ts'

// The statements of each kind of operation, in order, for all databases.

const model = aShop(build => {
  build.aggregateQueries = [
    {
      name: 'Turnover',
      entity: 'Order',
      columns: [
        { field: 'placed', type: 'GROUPBY', alias: 'day' },
        { field: 'total', type: 'SUM', alias: 'sum' },
        { field: 'number', type: 'MAX', alias: 'last' },
      ],
    },
  ]
})

const databases = ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql', 'sqlite'] as const

describe('Generated statements', () => {
  it.each(Object.keys(statementKinds))('generated statements for %s match the expected ones of each database', kind => {
    const texts = Object.fromEntries(databases.map(dialect => [dialect, textsOf(kind, dialect)]))
    expect(texts).toEqual(written[kind])
  })
})

describe('A decimal without precision', () => {
  const shop = aShop()
  const entities = shop.entities.map(entity => {
    if (entity.name !== 'Order') return entity
    const more = aTypeAttribute({ name: 'open', dataType: 'double', format: 'decimal', nullable: true, position: 9 })
    return { ...entity, typeAttributes: [...entity.typeAttributes, more] }
  })
  const wider = { ...shop, entities }

  it.each(databases)('accepts an exponent on %s', dialect => {
    const compiled = compileApi(apiOf(wider), instanceSchemaOf(wider, dialect), dialect)
    const values = (open: string) => {
      const insert: Operation = { kind: 'insert', entity: 'Order', record: { number: 'A', open } }
      const step = compiled.plan(insert, { name: 'ann', tenant: null }).steps.next([])
      return step.done ? [] : step.value.parameters
    }
    expect(values('1.5e10')).toContain('15000000000')
    expect(values('-25E-3')).toContain('-0.025')
    expect(() => values('1e999999999')).toThrow('open: this must be a number.')
    expect(() => values('1e')).toThrow('open: this must be a number.')
  })
})

// 64 bytes: PostgreSQL truncates names to 63.
const long = 'ä'.repeat(32)

describe('A name that PostgreSQL truncates', () => {
  const shop = aShop()
  const entities = shop.entities.map(entity => {
    if (entity.name !== 'Order') return entity
    const more = aTypeAttribute({ name: long, maxLength: 20, nullable: true, position: 9 })
    return { ...entity, typeAttributes: [...entity.typeAttributes, more] }
  })
  const wider = { ...shop, entities }
  const compiled = compileApi(apiOf(wider), instanceSchemaOf(wider, 'postgresql'), 'postgresql')
  const isWritten = (operation: Operation) => {
    const step = compiled.written(operation, { name: 'ann', tenant: null }).steps.next([])
    return !step.done && /row_to_json|json_agg\(q\.\*\)/.test(step.value.text)
  }
  const order = apiOf(wider).entities.find(({ name }) => name === 'Customer')?.relations[0]?.name ?? ''
  const all = { fields: null, relations: [] }
  const some = { fields: ['number'], relations: [] }
  const read = (entity: string, select: Selection): Operation => ({ kind: 'select', entity, key: ['1'], select })
  const orders = (select: Selection): Selection => ({ fields: null, relations: [{ name: order, select }] })

  it('disables JSON written by the database only for calls that use it', () => {
    const related = { kind: 'related', entity: 'Customer', key: ['1'], relation: order, ...everyRecord } as const
    expect({
      customer: isWritten(read('Customer', all)),
      customerWithNumbers: isWritten(read('Customer', orders(some))),
      number: isWritten(read('Order', some)),
      newCustomer: isWritten({ kind: 'insert', entity: 'Customer', record: { name: 'Ann' } }),
      numbersOfCustomer: isWritten({ ...related, select: some }),
    }).toEqual({
      customer: true,
      customerWithNumbers: true,
      number: true,
      newCustomer: true,
      numbersOfCustomer: true,
    })
    expect({
      order: isWritten(read('Order', all)),
      customerWithOrders: isWritten(read('Customer', orders(all))),
      newOrder: isWritten({ kind: 'insert', entity: 'Order', record: { number: 'A' } }),
      ordersOfCustomer: isWritten({ ...related, select: all }),
    }).toEqual({ order: false, customerWithOrders: false, newOrder: false, ordersOfCustomer: false })
  })
})

function textsOf(kind: string, dialect: RunDatabase): string[] {
  const kindOf = statementKinds[kind]
  if (!kindOf) throw new RangeError(kind)
  const compiled = compileApi(apiOf(model), instanceSchemaOf(model, dialect), dialect)
  const { steps } = compiled.plan(kindOf.operation, { name: 'ann', tenant: null })
  const texts: string[] = []
  let step = steps.next([])
  while (!step.done) {
    texts.push(step.value.text)
    step = steps.next(kindOf.answers(step.value.text))
  }
  return texts
}

const written: Readonly<Record<string, Readonly<Record<RunDatabase, readonly string[]>>>> = {
  'a page of a filtered, searched and sorted list': {
    postgresql: [
      `SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."total" >= $1::numeric AND c."number" LIKE $2::text ESCAPE '' AND c."placed" IS NOT NULL AND (strpos(lower(c."number" COLLATE "default"), lower($3::text)) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM "Order" c) AS c1, (SELECT COALESCE(json_agg(q.c0), '[]') FROM (SELECT json_build_array(t1."number", trim_scale(t1."total")::text) AS c0 FROM "Order" t1 WHERE t1."total" >= $1::numeric AND t1."number" LIKE $2::text ESCAPE '' AND t1."placed" IS NOT NULL AND (strpos(lower(t1."number" COLLATE "default"), lower($3::text)) > 0) ORDER BY t1."placed" DESC, t1."number" COLLATE "C" LIMIT $4::bigint OFFSET $5::bigint) q) AS c2`,
    ],
    mysql: [
      `SELECT (SELECT COUNT(*) AS c0 FROM \`Order\` c WHERE c.\`total\` >= CAST(? AS DECIMAL(40, 30)) AND c.\`number\` LIKE ? ESCAPE '!' AND c.\`placed\` IS NOT NULL AND (LOCATE(LOWER(?), LOWER(c.\`number\`)) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM \`Order\` c) AS c1, t1.\`number\` AS c2, CAST(t1.\`total\` AS CHAR(70)) AS c3 FROM \`Order\` t1 WHERE t1.\`total\` >= CAST(? AS DECIMAL(40, 30)) AND t1.\`number\` LIKE ? ESCAPE '!' AND t1.\`placed\` IS NOT NULL AND (LOCATE(LOWER(?), LOWER(t1.\`number\`)) > 0) ORDER BY CASE WHEN t1.\`placed\` IS NULL THEN 1 ELSE 0 END DESC, t1.\`placed\` DESC, t1.\`number\` LIMIT ? OFFSET ?`,
    ],
    hsql: [
      'SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."total" >= CAST(? AS DECIMAL(2000, 1000)) AND c."number" LIKE CAST(? AS VARCHAR(16777216)) AND c."placed" IS NOT NULL AND (LOCATE(LOWER(CAST(? AS VARCHAR(16777216))), LOWER(c."number")) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM "Order" c) AS c1, t1."number" AS c2, CAST(t1."total" AS VARCHAR(2100)) AS c3 FROM "Order" t1 WHERE t1."total" >= CAST(? AS DECIMAL(2000, 1000)) AND t1."number" LIKE CAST(? AS VARCHAR(16777216)) AND t1."placed" IS NOT NULL AND (LOCATE(LOWER(CAST(? AS VARCHAR(16777216))), LOWER(t1."number")) > 0) ORDER BY CASE WHEN t1."placed" IS NULL THEN 1 ELSE 0 END DESC, t1."placed" DESC, t1."number" LIMIT ? OFFSET ?',
    ],
    oracle: [
      `SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."total" >= TO_NUMBER(:1) AND c."number" LIKE :2 AND c."placed" IS NOT NULL AND (INSTR(LOWER(c."number"), LOWER(TO_CLOB(:3))) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM "Order" c) AS c1, t1."number" AS c2, TO_CHAR(t1."total", 'TM9') AS c3 FROM "Order" t1 WHERE t1."total" >= TO_NUMBER(:4) AND t1."number" LIKE :5 AND t1."placed" IS NOT NULL AND (INSTR(LOWER(t1."number"), LOWER(TO_CLOB(:6))) > 0) ORDER BY t1."placed" DESC NULLS FIRST, t1."number" OFFSET TO_NUMBER(:7) ROWS FETCH NEXT TO_NUMBER(:8) ROWS ONLY`,
    ],
    mssql: [
      'SELECT (SELECT COUNT(*) AS c0 FROM [Order] c WHERE c.[total] >= CAST(@p1 AS DECIMAL(38, 28)) AND c.[number] LIKE CAST(@p2 AS NVARCHAR(4000)) AND c.[placed] IS NOT NULL AND (CHARINDEX(LOWER(@p3), LOWER(c.[number])) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM [Order] c) AS c1, t1.[number] AS c2, CONVERT(VARCHAR(50), t1.[total]) AS c3 FROM [Order] t1 WHERE t1.[total] >= CAST(@p1 AS DECIMAL(38, 28)) AND t1.[number] LIKE CAST(@p2 AS NVARCHAR(4000)) AND t1.[placed] IS NOT NULL AND (CHARINDEX(LOWER(@p3), LOWER(t1.[number])) > 0) ORDER BY CASE WHEN t1.[placed] IS NULL THEN 1 ELSE 0 END DESC, t1.[placed] DESC, t1.[number] OFFSET (CAST(@p4 AS BIGINT)) ROWS FETCH NEXT (CAST(@p5 AS BIGINT)) ROWS ONLY',
    ],
    sqlite: [
      'SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE cadmus_key(c."total") >= cadmus_key(?1) AND c."number" GLOB ?2 AND c."placed" IS NOT NULL AND (instr(cadmus_fold(c."number"), cadmus_fold(?3)) > 0)) AS c0, (SELECT COUNT(*) AS c0 FROM "Order" c) AS c1, t1."number" AS c2, t1."total" AS c3 FROM "Order" t1 WHERE cadmus_key(t1."total") >= cadmus_key(?1) AND t1."number" GLOB ?2 AND t1."placed" IS NOT NULL AND (instr(cadmus_fold(t1."number"), cadmus_fold(?3)) > 0) ORDER BY t1."placed" DESC NULLS FIRST, t1."number" LIMIT ?4 OFFSET ?5',
    ],
  },
  'a record with a page of related records': {
    postgresql: [
      `SELECT t1."name" AS c0, (SELECT COALESCE(json_agg(q.c0), '[]') FROM (SELECT json_build_array(t2."number") AS c0 FROM "Order" t2 WHERE t2."customerId" = t1."id" ORDER BY t2."number" COLLATE "C" LIMIT $1::bigint) q) AS c1 FROM "Customer" t1 WHERE t1."id" = $2::bigint`,
    ],
    mysql: [
      'SELECT t1.`name` AS c0, CAST(t1.`id` AS CHAR(20)) AS c1 FROM `Customer` t1 WHERE t1.`id` = CAST(? AS SIGNED)',
      'SELECT q.c0, q.c1 FROM (SELECT CAST(t1.`customerId` AS CHAR(20)) AS c0, t1.`number` AS c1, ROW_NUMBER() OVER (PARTITION BY t1.`customerId` ORDER BY t1.`number`) AS rn FROM `Order` t1 WHERE t1.`customerId` IN (CAST(? AS SIGNED))) q WHERE q.rn <= CAST(? AS SIGNED) ORDER BY q.rn',
    ],
    hsql: [
      'SELECT t1."name" AS c0, CAST(t1."id" AS VARCHAR(20)) AS c1 FROM "Customer" t1 WHERE t1."id" = CAST(? AS BIGINT)',
      'SELECT CAST(t1."customerId" AS VARCHAR(20)) AS c0, t1."number" AS c1 FROM "Order" t1 WHERE t1."customerId" IN (CAST(? AS BIGINT)) ORDER BY t1."number"',
    ],
    oracle: [
      `SELECT t1."name" AS c0, TO_CHAR(t1."id", 'TM9') AS c1 FROM "Customer" t1 WHERE t1."id" = TO_NUMBER(:1)`,
      `SELECT q.c0, q.c1 FROM (SELECT TO_CHAR(t1."customerId", 'TM9') AS c0, t1."number" AS c1, ROW_NUMBER() OVER (PARTITION BY t1."customerId" ORDER BY t1."number") AS rn FROM "Order" t1 WHERE t1."customerId" IN (TO_NUMBER(:1))) q WHERE q.rn <= TO_NUMBER(:2) ORDER BY q.rn`,
    ],
    mssql: [
      'SELECT t1.[name] AS c0, CONVERT(VARCHAR(20), t1.[id]) AS c1 FROM [Customer] t1 WHERE t1.[id] = CAST(@p1 AS BIGINT)',
      'SELECT q.c0, q.c1 FROM (SELECT CONVERT(VARCHAR(20), t1.[customerId]) AS c0, t1.[number] AS c1, ROW_NUMBER() OVER (PARTITION BY t1.[customerId] ORDER BY t1.[number]) AS rn FROM [Order] t1 WHERE t1.[customerId] IN (CAST(@p1 AS BIGINT))) q WHERE q.rn <= CAST(@p2 AS BIGINT) ORDER BY q.rn',
    ],
    sqlite: [
      'SELECT t1."name" AS c0, (SELECT json_group_array(json(q.c0)) FROM (SELECT json_array(t2."number") AS c0 FROM "Order" t2 WHERE t2."customerId" = t1."id" ORDER BY t2."number" LIMIT ?1) q) AS c1 FROM "Customer" t1 WHERE t1."id" = ?2',
    ],
  },
  'the records related to one': {
    postgresql: [
      `SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."customerId" = $1::bigint) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" t0 WHERE t0."id" = $1::bigint) THEN 1 ELSE 0 END AS c1, (SELECT COALESCE(json_agg(q.c0), '[]') FROM (SELECT json_build_array(t1."number") AS c0 FROM "Order" t1 WHERE t1."customerId" = $1::bigint ORDER BY t1."number" COLLATE "C" LIMIT $2::bigint) q) AS c2`,
    ],
    mysql: [
      'SELECT (SELECT COUNT(*) AS c0 FROM `Order` c WHERE c.`customerId` = CAST(? AS SIGNED)) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM `Customer` t0 WHERE t0.`id` = CAST(? AS SIGNED)) THEN 1 ELSE 0 END AS c1, t1.`number` AS c2 FROM `Order` t1 WHERE t1.`customerId` = CAST(? AS SIGNED) ORDER BY t1.`number` LIMIT ?',
    ],
    hsql: [
      'SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."customerId" = CAST(? AS BIGINT)) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" t0 WHERE t0."id" = CAST(? AS BIGINT)) THEN 1 ELSE 0 END AS c1, t1."number" AS c2 FROM "Order" t1 WHERE t1."customerId" = CAST(? AS BIGINT) ORDER BY t1."number" LIMIT ?',
    ],
    oracle: [
      'SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."customerId" = TO_NUMBER(:1)) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" t0 WHERE t0."id" = TO_NUMBER(:2)) THEN 1 ELSE 0 END AS c1, t1."number" AS c2 FROM "Order" t1 WHERE t1."customerId" = TO_NUMBER(:3) ORDER BY t1."number" FETCH NEXT TO_NUMBER(:4) ROWS ONLY',
    ],
    mssql: [
      'SELECT (SELECT COUNT(*) AS c0 FROM [Order] c WHERE c.[customerId] = CAST(@p1 AS BIGINT)) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM [Customer] t0 WHERE t0.[id] = CAST(@p1 AS BIGINT)) THEN 1 ELSE 0 END AS c1, t1.[number] AS c2 FROM [Order] t1 WHERE t1.[customerId] = CAST(@p1 AS BIGINT) ORDER BY t1.[number] OFFSET 0 ROWS FETCH NEXT (CAST(@p2 AS BIGINT)) ROWS ONLY',
    ],
    sqlite: [
      'SELECT (SELECT COUNT(*) AS c0 FROM "Order" c WHERE c."customerId" = ?1) AS c0, CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" t0 WHERE t0."id" = ?1) THEN 1 ELSE 0 END AS c1, t1."number" AS c2 FROM "Order" t1 WHERE t1."customerId" = ?1 ORDER BY t1."number" LIMIT ?2',
    ],
  },
  'an insert with a reference': {
    postgresql: [
      `INSERT INTO "Order" ("number", "total", "customerId") SELECT $1::text, $2::numeric, $3::bigint WHERE EXISTS (SELECT 1 AS c0 FROM "Customer" x WHERE x."id" = $3::bigint) RETURNING "number", trim_scale("total")::text, to_char("placed", 'YYYY-MM-DD'), "customerId"::text`,
    ],
    mysql: [
      'SELECT CASE WHEN EXISTS (SELECT 1 AS c0 FROM `Customer` x WHERE x.`id` = CAST(? AS SIGNED)) THEN 1 ELSE 0 END AS c0',
      'INSERT INTO `Order` (`number`, `total`, `customerId`) VALUES (?, CAST(? AS DECIMAL(12, 2)), CAST(? AS SIGNED))',
      'SELECT t0.`number` AS c0, CAST(t0.`total` AS CHAR(70)) AS c1, CAST(t0.`placed` AS CHAR(70)) AS c2, CAST(t0.`customerId` AS CHAR(20)) AS c3 FROM `Order` t0 WHERE t0.`number` = ?',
    ],
    hsql: [
      'SELECT CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" x WHERE x."id" = CAST(? AS BIGINT)) THEN 1 ELSE 0 END AS c0 FROM (VALUES(0))',
      'INSERT INTO "Order" ("number", "total", "customerId") VALUES (CAST(? AS VARCHAR(16777216)), CAST(? AS DECIMAL(12, 2)), CAST(? AS BIGINT))',
      'SELECT t0."number" AS c0, CAST(t0."total" AS VARCHAR(2100)) AS c1, CAST(t0."placed" AS VARCHAR(40)) AS c2, CAST(t0."customerId" AS VARCHAR(20)) AS c3 FROM "Order" t0 WHERE t0."number" = CAST(? AS VARCHAR(16777216))',
    ],
    oracle: [
      'SELECT CASE WHEN EXISTS (SELECT 1 AS c0 FROM "Customer" x WHERE x."id" = TO_NUMBER(:1)) THEN 1 ELSE 0 END AS c0 FROM DUAL',
      'INSERT INTO "Order" ("number", "total", "customerId") VALUES (:1, TO_NUMBER(:2), TO_NUMBER(:3))',
      `SELECT t0."number" AS c0, TO_CHAR(t0."total", 'TM9') AS c1, TO_CHAR(t0."placed", 'YYYY-MM-DD') AS c2, TO_CHAR(t0."customerId", 'TM9') AS c3 FROM "Order" t0 WHERE t0."number" = :1`,
    ],
    mssql: [
      'SELECT CASE WHEN EXISTS (SELECT 1 AS c0 FROM [Customer] x WHERE x.[id] = CAST(@p1 AS BIGINT)) THEN 1 ELSE 0 END AS c0',
      'INSERT INTO [Order] ([number], [total], [customerId]) OUTPUT INSERTED.[number], CONVERT(VARCHAR(50), INSERTED.[total]), CONVERT(CHAR(10), INSERTED.[placed], 23), CONVERT(VARCHAR(20), INSERTED.[customerId]) VALUES (CAST(@p1 AS NVARCHAR(4000)), CAST(@p2 AS DECIMAL(12, 2)), CAST(@p3 AS BIGINT))',
    ],
    sqlite: [
      'INSERT INTO "Order" ("number", "total", "customerId") SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 AS c0 FROM "Customer" x WHERE x."id" = ?3) RETURNING "number", "total", "placed", CAST("customerId" AS TEXT)',
    ],
  },
  'an insert with a generated key': {
    postgresql: ['INSERT INTO "Customer" ("name") VALUES ($1::text) RETURNING "id"::text, "name"'],
    mysql: [
      'INSERT INTO `Customer` (`name`) VALUES (?)',
      'SELECT CAST(LAST_INSERT_ID() AS CHAR(20))',
      'SELECT CAST(t0.`id` AS CHAR(20)) AS c0, t0.`name` AS c1 FROM `Customer` t0 WHERE t0.`id` = CAST(? AS SIGNED)',
    ],
    hsql: [
      'INSERT INTO "Customer" ("name") VALUES (CAST(? AS VARCHAR(16777216)))',
      'CALL IDENTITY()',
      'SELECT CAST(t0."id" AS VARCHAR(20)) AS c0, t0."name" AS c1 FROM "Customer" t0 WHERE t0."id" = CAST(? AS BIGINT)',
    ],
    oracle: [
      'INSERT INTO "Customer" ("name") VALUES (:1) RETURNING "id" INTO :2',
      `SELECT TO_CHAR(t0."id", 'TM9') AS c0, t0."name" AS c1 FROM "Customer" t0 WHERE t0."id" = TO_NUMBER(:1)`,
    ],
    mssql: [
      'INSERT INTO [Customer] ([name]) OUTPUT CONVERT(VARCHAR(20), INSERTED.[id]), INSERTED.[name] VALUES (CAST(@p1 AS NVARCHAR(4000)))',
    ],
    sqlite: ['INSERT INTO "Customer" ("name") VALUES (?1) RETURNING CAST("id" AS TEXT), "name"'],
  },
  'an update': {
    postgresql: [
      `UPDATE "Order" SET "total" = $1::numeric WHERE "number" = $2::text RETURNING "number", trim_scale("total")::text, to_char("placed", 'YYYY-MM-DD'), "customerId"::text`,
    ],
    mysql: [
      'UPDATE `Order` SET `total` = CAST(? AS DECIMAL(12, 2)) WHERE `number` = ?',
      'SELECT t0.`number` AS c0, CAST(t0.`total` AS CHAR(70)) AS c1, CAST(t0.`placed` AS CHAR(70)) AS c2, CAST(t0.`customerId` AS CHAR(20)) AS c3 FROM `Order` t0 WHERE t0.`number` = ?',
    ],
    hsql: [
      'UPDATE "Order" SET "total" = CAST(? AS DECIMAL(12, 2)) WHERE "number" = CAST(? AS VARCHAR(16777216))',
      'SELECT t0."number" AS c0, CAST(t0."total" AS VARCHAR(2100)) AS c1, CAST(t0."placed" AS VARCHAR(40)) AS c2, CAST(t0."customerId" AS VARCHAR(20)) AS c3 FROM "Order" t0 WHERE t0."number" = CAST(? AS VARCHAR(16777216))',
    ],
    oracle: [
      'UPDATE "Order" SET "total" = TO_NUMBER(:1) WHERE "number" = :2',
      `SELECT t0."number" AS c0, TO_CHAR(t0."total", 'TM9') AS c1, TO_CHAR(t0."placed", 'YYYY-MM-DD') AS c2, TO_CHAR(t0."customerId", 'TM9') AS c3 FROM "Order" t0 WHERE t0."number" = :1`,
    ],
    mssql: [
      'UPDATE [Order] SET [total] = CAST(@p1 AS DECIMAL(12, 2)) OUTPUT INSERTED.[number], CONVERT(VARCHAR(50), INSERTED.[total]), CONVERT(CHAR(10), INSERTED.[placed], 23), CONVERT(VARCHAR(20), INSERTED.[customerId]) WHERE [number] = CAST(@p2 AS NVARCHAR(4000))',
    ],
    sqlite: [
      'UPDATE "Order" SET "total" = ?1 WHERE "number" = ?2 RETURNING "number", "total", "placed", CAST("customerId" AS TEXT)',
    ],
  },
  'a delete': {
    postgresql: ['DELETE FROM "Order" WHERE "number" = $1::text'],
    mysql: ['DELETE FROM `Order` WHERE `number` = ?'],
    hsql: ['DELETE FROM "Order" WHERE "number" = CAST(? AS VARCHAR(16777216))'],
    oracle: ['DELETE FROM "Order" WHERE "number" = :1'],
    mssql: ['DELETE FROM [Order] WHERE [number] = CAST(@p1 AS NVARCHAR(4000))'],
    sqlite: ['DELETE FROM "Order" WHERE "number" = ?1'],
  },
  'an aggregate query': {
    postgresql: [
      `SELECT to_char(t1."placed", 'YYYY-MM-DD') AS c0, trim_scale(SUM(t1."total")::numeric)::text AS c1, MAX(t1."number" COLLATE "C") AS c2 FROM "Order" t1 WHERE t1."customerId" IN ($1::bigint, $2::bigint) GROUP BY t1."placed" ORDER BY t1."placed" LIMIT $3::bigint`,
    ],
    mysql: [
      'SELECT CAST(t1.`placed` AS CHAR(70)) AS c0, CAST(SUM(t1.`total`) AS CHAR(70)) AS c1, MAX(t1.`number`) AS c2 FROM `Order` t1 WHERE t1.`customerId` IN (CAST(? AS SIGNED), CAST(? AS SIGNED)) GROUP BY t1.`placed` ORDER BY CASE WHEN t1.`placed` IS NULL THEN 1 ELSE 0 END, t1.`placed` LIMIT ?',
    ],
    hsql: [
      'SELECT CAST(t1."placed" AS VARCHAR(40)) AS c0, CAST(SUM(CAST(t1."total" AS DECIMAL(110, 50))) AS VARCHAR(2100)) AS c1, MAX(t1."number") AS c2 FROM "Order" t1 WHERE t1."customerId" IN (CAST(? AS BIGINT), CAST(? AS BIGINT)) GROUP BY t1."placed" ORDER BY CASE WHEN t1."placed" IS NULL THEN 1 ELSE 0 END, t1."placed" LIMIT ?',
    ],
    oracle: [
      `SELECT TO_CHAR(t1."placed", 'YYYY-MM-DD') AS c0, TO_CHAR(SUM(t1."total"), 'TM9') AS c1, MAX(t1."number") AS c2 FROM "Order" t1 WHERE t1."customerId" IN (TO_NUMBER(:1), TO_NUMBER(:2)) GROUP BY t1."placed" ORDER BY t1."placed" NULLS LAST FETCH NEXT TO_NUMBER(:3) ROWS ONLY`,
    ],
    mssql: [
      'SELECT CONVERT(CHAR(10), t1.[placed], 23) AS c0, CONVERT(VARCHAR(50), SUM(t1.[total])) AS c1, MAX(t1.[number]) AS c2 FROM [Order] t1 WHERE t1.[customerId] IN (CAST(@p1 AS BIGINT), CAST(@p2 AS BIGINT)) GROUP BY t1.[placed] ORDER BY CASE WHEN t1.[placed] IS NULL THEN 1 ELSE 0 END, t1.[placed] OFFSET 0 ROWS FETCH NEXT (CAST(@p3 AS BIGINT)) ROWS ONLY',
    ],
    sqlite: [
      'SELECT t1."placed" AS c0, cadmus_sum(CAST(t1."total" AS TEXT)) AS c1, MAX(t1."number") AS c2 FROM "Order" t1 WHERE t1."customerId" IN (?1, ?2) GROUP BY t1."placed" ORDER BY t1."placed" NULLS LAST LIMIT ?3',
    ],
  },
}
