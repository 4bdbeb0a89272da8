import type { Compilable, Expression, SqlBool } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aRow, db, eb, nested, own, ownEntities, refusal } from '../testing/guarded-tables.ts'

/** A condition that binds a table, or should. */
type Condition = (alias: string) => Expression<SqlBool>

/** A statement with a condition for each of its guarded tables. */
type Form = { readonly tables: readonly string[]; readonly make: (bound: Condition) => Compilable }

/** Conditions that do not exclude other organisations. */
const leaks: Readonly<Record<string, Condition>> = {
  nothing: () => eb('name', '=', 'x'),
  'another organisation': alias => eb(`${alias}.organisation_id`, '=', 2),
  'also another organisation': alias => eb(`${alias}.organisation_id`, 'in', [1, 2]),
  'no organisation of a list': alias => eb(`${alias}.organisation_id`, 'in', []),
  'any organisation of a query': alias =>
    eb(`${alias}.organisation_id`, 'in', eb.selectFrom('session').select('session.organisation_id')),
  'a query in a list': alias =>
    eb(`${alias}.organisation_id`, 'in', [eb.val(1), eb.selectFrom('session').select('session.organisation_id')]),
  'another column': alias => eb(`${alias}.id`, '=', 1),
  'a column that is not bound': alias => eb(`${alias}.organisation_id`, '=', eb.ref('session.organisation_id')),
  'its own column': alias => eb(`${alias}.organisation_id`, '=', eb.ref(`${alias}.organisation_id`)),
  'one side of an OR': alias => eb.or([own(alias), eb('id', '=', 3)]),
  'an OR within an AND': alias => eb.and([eb('id', '=', 3), eb.or([own(alias), eb('id', '=', 4)])]),
  NOT: alias => eb.not(own(alias)),
  'NOT within an AND': alias => eb.and([eb('id', '=', 3), eb.not(own(alias))]),
  'a CASE': alias => eb.case().when(own(alias)).then(true).else(true).end(),
  EXISTS: alias => eb.exists(eb.selectFrom('session').select('session.id').where(own(alias))),
  ...Object.fromEntries(
    (['!=', '<>', '>', '>=', '<', '<=', 'like', 'not like', 'is', 'is not', 'is distinct from'] as const).map(
      operator => [operator, (alias: string) => eb(`${alias}.organisation_id`, operator, eb.val(1))],
    ),
  ),
  'not in': alias => eb(`${alias}.organisation_id`, 'not in', [1]),
  BETWEEN: alias => eb.between(`${alias}.organisation_id`, 1, 1),
}

const contentOf = (bound: Condition) => nested.selectFrom('content as c').select('c.hash').where(bound('c'))

const reads: Readonly<Record<string, Form>> = {
  SELECT: { tables: ['entity'], make: bound => db.selectFrom('entity').selectAll().where(bound('entity')) },
  'SELECT under an alias': { tables: ['e'], make: bound => db.selectFrom('entity as e').selectAll().where(bound('e')) },
  'several conditions': {
    tables: ['e'],
    make: bound =>
      db.selectFrom('entity as e').selectAll().where('e.id', '=', 3).where(bound('e')).where('name', '=', 'x'),
  },
  'conditions in parentheses': {
    tables: ['e'],
    make: bound =>
      db
        .selectFrom('entity as e')
        .selectAll()
        .where(eb.parens(eb.and([eb('id', '=', 3), bound('e')]))),
  },
  'several tables': {
    tables: ['e', 'c'],
    make: bound => db.selectFrom(['entity as e', 'content as c']).select('e.id').where(bound('e')).where(bound('c')),
  },
  'INNER JOIN': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).innerJoin('content as c', join => join.on(bound('c'))),
  },
  'INNER JOIN that binds both': {
    tables: ['e', 'c'],
    make: bound =>
      db
        .selectFrom('entity as e')
        .select('e.id')
        .innerJoin('content as c', join => join.on(bound('c')).on(bound('e'))),
  },
  'LEFT JOIN': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).leftJoin('content as c', join => join.on(bound('c'))),
  },
  'LEFT JOIN with conditions behind it': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).leftJoin('content as c', 'c.hash', 'e.content_hash').where(bound('c')),
  },
  'RIGHT JOIN': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).rightJoin('content as c', 'c.hash', 'e.content_hash').where(bound('c')),
  },
  'FULL JOIN': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).fullJoin('content as c', 'c.hash', 'e.content_hash').where(bound('c')),
  },
  'CROSS JOIN': {
    tables: ['e', 'c'],
    make: bound => ownJoin(bound('e')).crossJoin('content as c').where(bound('c')),
  },
  'LATERAL JOIN': {
    tables: ['c'],
    make: bound =>
      ownEntities().innerJoinLateral(contentOf(bound).as('s'), join => join.onRef('s.hash', '=', 'e.content_hash')),
  },
  'LEFT JOIN LATERAL': {
    tables: ['c'],
    make: bound =>
      ownEntities().leftJoinLateral(contentOf(bound).as('s'), join => join.onRef('s.hash', '=', 'e.content_hash')),
  },
  'a query that is joined': {
    tables: ['c'],
    make: bound => ownEntities().innerJoin(contentOf(bound).as('s'), 's.hash', 'e.content_hash'),
  },
  'a query that is read from': { tables: ['c'], make: bound => db.selectFrom(contentOf(bound).as('s')).selectAll() },
  'IN a query': { tables: ['c'], make: bound => ownEntities().where('e.content_hash', 'in', contentOf(bound)) },
  'EXISTS a query': { tables: ['c'], make: bound => ownEntities().where(eb.exists(contentOf(bound))) },
  'a query in an OR': {
    tables: ['c'],
    make: bound => ownEntities().where(eb.or([eb('id', '=', 1), eb.exists(contentOf(bound))])),
  },
  'a query as a value': { tables: ['c'], make: bound => ownEntities().select(() => contentOf(bound).as('value')) },
  'a query that orders': { tables: ['c'], make: bound => ownEntities().orderBy(() => contentOf(bound)) },
  'a query in HAVING': {
    tables: ['c'],
    make: bound =>
      ownEntities()
        .groupBy('e.id')
        .having(eb.exists(contentOf(bound))),
  },
  'a query in a query': {
    tables: ['c'],
    make: bound =>
      ownEntities().where(
        'e.id',
        'in',
        nested.selectFrom('session').select('id').where('hash', 'in', contentOf(bound)),
      ),
  },
  WITH: {
    tables: ['c'],
    make: bound =>
      db
        .with('w', () => contentOf(bound))
        .selectFrom('w')
        .selectAll(),
  },
  UNION: { tables: ['c'], make: bound => db.selectFrom('session').select('hash').union(contentOf(bound)) },
  'UNION ALL': { tables: ['c'], make: bound => db.selectFrom('session').select('hash').unionAll(contentOf(bound)) },
  EXCEPT: { tables: ['c'], make: bound => db.selectFrom('session').select('hash').except(contentOf(bound)) },
  INTERSECT: { tables: ['c'], make: bound => db.selectFrom('session').select('hash').intersect(contentOf(bound)) },
  'INSERT of a query': {
    tables: ['c'],
    make: bound => db.insertInto('session').columns(['hash']).expression(contentOf(bound)),
  },
  'INSERT of a query as a value': {
    tables: ['c'],
    make: bound => db.insertInto('session').values({ ...aRow, hash: contentOf(bound) }),
  },
  'UPDATE with a query as a value': {
    tables: ['c'],
    make: bound => db.updateTable('session').set({ hash: () => contentOf(bound) }),
  },
  'UPDATE where a query says so': {
    tables: ['c'],
    make: bound => db.updateTable('session').set({ name: 'x' }).where('hash', 'in', contentOf(bound)),
  },
  'DELETE where a query says so': {
    tables: ['c'],
    make: bound => db.deleteFrom('session').where('hash', 'in', contentOf(bound)),
  },
}

const writes: Readonly<Record<string, Form>> = {
  UPDATE: { tables: ['entity'], make: bound => db.updateTable('entity').set({ name: 'x' }).where(bound('entity')) },
  'UPDATE FROM': {
    tables: ['e', 'c'],
    make: bound =>
      db.updateTable('entity as e').from('content as c').set({ name: 'x' }).where(bound('e')).where(bound('c')),
  },
  'UPDATE of several tables': {
    tables: ['e', 'c'],
    make: bound =>
      db.updateTable(['entity as e', 'content as c']).set({ name: 'x' }).where(bound('e')).where(bound('c')),
  },
  'UPDATE of a table that is not guarded FROM one that is': {
    tables: ['c'],
    make: bound => db.updateTable('session').from('content as c').set({ name: 'x' }).where(bound('c')),
  },
  'UPDATE with a JOIN': {
    tables: ['e', 'm', 'c'],
    make: bound =>
      db
        .updateTable('entity as e')
        .from('manifest as m')
        .innerJoin('content as c', join => join.on(bound('c')))
        .set({ name: 'x' })
        .where(bound('e'))
        .where(bound('m')),
  },
  DELETE: { tables: ['entity'], make: bound => db.deleteFrom('entity').where(bound('entity')) },
  'DELETE USING': {
    tables: ['e', 'c'],
    make: bound => db.deleteFrom('entity as e').using('content as c').where(bound('e')).where(bound('c')),
  },
  'DELETE of a table that is not guarded USING one that is': {
    tables: ['c'],
    make: bound => db.deleteFrom('session').using('content as c').where(bound('c')),
  },
  'DELETE with a JOIN': {
    tables: ['e', 'm', 'c'],
    make: bound =>
      db
        .deleteFrom('entity as e')
        .using('manifest as m')
        .innerJoin('content as c', join => join.on(bound('c')))
        .where(bound('e'))
        .where(bound('m')),
  },
  'WITH a DELETE': {
    tables: ['c'],
    make: bound =>
      db
        .with('w', q => q.deleteFrom('content as c').where(bound('c')).returning('c.hash'))
        .selectFrom('w')
        .selectAll(),
  },
  'WITH an UPDATE': {
    tables: ['c'],
    make: bound =>
      db
        .with('w', q => q.updateTable('content as c').set({ body: 'x' }).where(bound('c')).returning('c.hash'))
        .selectFrom('w')
        .selectAll(),
  },
}

function ownJoin(condition: Expression<SqlBool>) {
  return db.selectFrom('entity as e').select('e.id').where(condition)
}

describe.each(Object.entries({ ...reads, ...writes }))('%s', (_name, { tables, make }) => {
  it('is accepted if each of its tables is bound to the organisation', () => {
    expect(make(own).compile().sql).toContain('organisation_id')
    expect(make(alias => eb(`${alias}.organisation_id`, 'in', [1])).compile().sql).toContain('organisation_id')
  })

  it('is rejected if one of them has any other condition', () => {
    const passing = Object.entries(leaks).flatMap(([what, leak]) => passingWith(leak).map(table => `${table}: ${what}`))
    expect(passing).toEqual([])
  })

  const passingWith = (leak: Condition) =>
    tables.filter(table => !isRefused(() => make(alias => (alias === table ? leak : own)(alias))))
})

function isRefused(make: () => Compilable): boolean {
  try {
    make().compile()
    return false
  } catch (error) {
    return error instanceof Error && refusal.test(error.message)
  }
}

describe('The library', () => {
  const library: Condition = alias => eb(`${alias}.organisation_id`, 'in', [0, 1])

  it.each(Object.entries(reads))('can be read by %s', (_name, { make }) => {
    expect(make(library).compile().sql).toContain('organisation_id')
    expect(make(alias => eb(`${alias}.organisation_id`, '=', 0)).compile().sql).toContain('organisation_id')
  })

  it.each(Object.entries(writes))('cannot be changed by %s', (_name, { tables, make }) => {
    const made = (table: string) => make(alias => (alias === table ? library : own)(alias))
    expect(tables.filter(table => !isRefused(() => made(table)))).toEqual([])
  })
})
