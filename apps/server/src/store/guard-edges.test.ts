import type { Expression, SqlBool } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aRow, db, eb, nested, own, ownEntities, refusal, sharedDb as shared } from '../testing/guarded-tables.ts'

describe('A handle without organisation', () => {
  it("rejects reads and writes of organisations' tables", () => {
    for (const value of [1, 0, null]) {
      expect(() => shared.selectFrom('entity').selectAll().where('organisation_id', '=', value).compile()).toThrow(
        refusal,
      )
      expect(() => shared.deleteFrom('entity').where('organisation_id', '=', value).compile()).toThrow(refusal)
      expect(() =>
        shared
          .insertInto('entity')
          .values({ ...aRow, organisation_id: value })
          .compile(),
      ).toThrow(refusal)
    }
    expect(shared.selectFrom('session').selectAll().compile().sql).toContain('session')
  })
})

describe('A table bound through another', () => {
  const equal = (a: string, b: string) => eb(`${a}.organisation_id`, '=', eb.ref(`${b}.organisation_id`))
  const chain = (first: Expression<SqlBool>) =>
    db
      .selectFrom('entity as e')
      .select('e.id')
      .innerJoin('content as c', join => join.on(equal('c', 'e')))
      .innerJoin('manifest as m', join => join.on(equal('c', 'm')))
      .where(first)

  it('is accepted across any number of equalities in any direction', () => {
    for (const alias of ['e', 'c', 'm']) expect(chain(own(alias)).compile().sql).toContain('organisation_id')
    const left = ownEntities().leftJoin('content as c', join => join.on(equal('e', 'c')))
    expect(left.compile().sql).toContain('left join')
    expect(left.leftJoin('manifest as m', join => join.on(equal('m', 'c'))).compile().sql).toContain('left join')
  })

  it('is rejected if the other is unbound or compared otherwise', () => {
    expect(() => chain(eb('id', '=', 1)).compile()).toThrow(refusal)
    for (const operator of ['!=', '<', '>'] as const) {
      const unequal = eb('c.organisation_id', operator, eb.ref('e.organisation_id'))
      expect(() =>
        ownEntities()
          .innerJoin('content as c', join => join.on(unequal))
          .compile(),
      ).toThrow(refusal)
    }
    const byKey = eb('c.id', '=', eb.ref('e.organisation_id'))
    expect(() =>
      ownEntities()
        .innerJoin('content as c', join => join.on(byKey))
        .compile(),
    ).toThrow(refusal)
    const fromKey = eb('c.organisation_id', '=', eb.ref('e.id'))
    expect(() =>
      ownEntities()
        .innerJoin('content as c', join => join.on(fromKey))
        .compile(),
    ).toThrow(refusal)
  })

  it('is rejected in a subquery that refers to an outer table', () => {
    const inner = nested.selectFrom('content as c').select('c.hash').where(equal('c', 'e'))
    expect(() => ownEntities().where(eb.exists(inner)).compile()).toThrow(refusal)
    expect(
      ownEntities()
        .where(eb.exists(inner.where(own('e'))))
        .compile().sql,
    ).toContain('exists')
  })
})

describe('An outer join', () => {
  const entities = () => db.selectFrom('entity as e').select('e.id')
  const equal = eb('e.organisation_id', '=', eb.ref('c.organisation_id'))

  it('does not bind the side whose rows are always returned', () => {
    const both = eb.and([own('e'), own('c')])
    expect(() =>
      entities()
        .leftJoin('content as c', join => join.on(both))
        .compile(),
    ).toThrow(refusal)
    expect(() =>
      entities()
        .rightJoin('content as c', join => join.on(both))
        .compile(),
    ).toThrow(refusal)
    expect(() =>
      entities()
        .fullJoin('content as c', join => join.on(both))
        .compile(),
    ).toThrow(refusal)
    const content = db.selectFrom('content as c').select('c.hash')
    const lateral = content.leftJoinLateral(
      nested.selectFrom('entity as e').select('e.id').where(own('e')).as('s'),
      join => join.on(own('c')),
    )
    expect(() => lateral.compile()).toThrow(refusal)
  })

  it('does not bind an outer side by equality', () => {
    const fromInner = eb.and([own('c'), equal])
    expect(() =>
      entities()
        .leftJoin('content as c', join => join.on(fromInner))
        .compile(),
    ).toThrow(refusal)
    const bound = entities().where(own('e'))
    expect(() => bound.rightJoin('content as c', join => join.on(equal)).compile()).toThrow(refusal)
    expect(() => bound.fullJoin('content as c', join => join.on(equal)).compile()).toThrow(refusal)
  })
})

describe('An unqualified condition', () => {
  it('binds the only guarded table of its query, and none of several', () => {
    const bound = eb('organisation_id', '=', 1)
    const one = db.selectFrom('entity').select('entity.id').where(bound)
    expect(one.compile().sql).toContain('organisation_id')
    expect(one.innerJoin('session', 'session.id', 'entity.id').compile().sql).toContain('organisation_id')
    expect(() => one.innerJoin('content', 'content.hash', 'entity.content_hash').compile()).toThrow(refusal)
    expect(() => one.where('entity.id', 'in', nested.selectFrom('manifest').select('id')).compile()).toThrow(refusal)
    expect(() => db.selectFrom('entity as e').select('e.id').where(own('entity')).compile()).toThrow(refusal)
  })
})

describe('An INSERT', () => {
  const into = () => db.insertInto('content')
  const values = () => into().values(aRow)

  it('is accepted if all its rows belong to the organisation', () => {
    expect(values().compile().sql).toContain('insert')
    expect(
      into()
        .values([aRow, { ...aRow, id: 2 }])
        .compile().sql,
    ).toContain('insert')
    expect(
      values()
        .onConflict(conflict => conflict.doNothing())
        .compile().sql,
    ).toContain('do nothing')
  })

  it('is accepted or rejected by its organisation if other values are computed', () => {
    const computed = { ...aRow, body: eb.fn<string>('lower', ['name']) }
    expect(into().values(computed).compile().sql).toContain('lower')
    expect(() =>
      into()
        .values({ ...computed, organisation_id: 2 })
        .compile(),
    ).toThrow(refusal)
  })

  it('is rejected if a row belongs elsewhere or names no organisation', () => {
    for (const organisation of [0, 2]) {
      const other = { ...aRow, organisation_id: organisation }
      expect(() => into().values(other).compile()).toThrow(refusal)
      expect(() => into().values([aRow, other]).compile()).toThrow(refusal)
      expect(() => into().values([other, aRow]).compile()).toThrow(refusal)
    }
    const { organisation_id: _, ...without } = aRow
    expect(() =>
      db
        .insertInto('content')
        .columns(['id'])
        .values({ ...without, organisation_id: eb.val(2) })
        .compile(),
    ).toThrow(refusal)
    expect(() => into().defaultValues().compile()).toThrow(refusal)
    expect(() => into().columns(['organisation_id', 'hash']).compile()).toThrow(refusal)
  })

  it('is rejected if a row takes the organisation from a subquery', () => {
    const query = nested.selectFrom('session').select('organisation_id')
    expect(() =>
      into()
        .values({ ...aRow, organisation_id: query })
        .compile(),
    ).toThrow(refusal)
    const rows = nested.selectFrom('content').select(['organisation_id', 'hash']).where('organisation_id', '=', 1)
    expect(() => into().columns(['organisation_id', 'hash']).expression(rows).compile()).toThrow(refusal)
    const moved = db.with('w', q =>
      q
        .insertInto('content')
        .values({ ...aRow, organisation_id: 2 })
        .returningAll(),
    )
    expect(() => moved.selectFrom('w').selectAll().compile()).toThrow(refusal)
  })

  it('is rejected if it may overwrite a row of another organisation', () => {
    expect(() =>
      values()
        .onConflict(conflict => conflict.column('id').doUpdateSet({ body: 'x' }))
        .compile(),
    ).toThrow(refusal)
    expect(() =>
      values()
        .onConflict(conflict => conflict.constraint('k').doUpdateSet({ body: 'x' }))
        .compile(),
    ).toThrow(refusal)
    expect(() => values().onDuplicateKeyUpdate({ body: 'x' }).compile()).toThrow(refusal)
    expect(() => values().orReplace().compile()).toThrow(refusal)
    expect(() => db.replaceInto('content').values(aRow).compile()).toThrow(refusal)
    const ofOwn = values().onConflict(key => key.columns(['organisation_id', 'hash']).doUpdateSet({ body: 'x' }))
    expect(ofOwn.compile().sql).toContain('do update')
  })
})

describe('The organisation of a row', () => {
  it('cannot be changed by any statement', () => {
    const toOther = { organisation_id: 2 }
    expect(() => db.updateTable('entity').set(toOther).where(own('entity')).compile()).toThrow(refusal)
    expect(() =>
      db
        .updateTable('entity')
        .set({ name: 'x', ...toOther })
        .where(own('entity'))
        .compile(),
    ).toThrow(refusal)
    const moving = db
      .insertInto('content')
      .values(aRow)
      .onConflict(conflict => conflict.columns(['organisation_id', 'hash']).doUpdateSet(toOther))
    expect(() => moving.compile()).toThrow(refusal)
  })
})

describe('A statement of another kind', () => {
  it('is rejected', () => {
    const merge = db.mergeInto('session').using('content', 'content.hash', 'session.hash').whenMatched().thenDelete()
    expect(() => merge.compile()).toThrow(/is not guarded/)
    expect(() => db.schema.dropTable('entity').compile()).toThrow(/is not guarded/)
  })
})
