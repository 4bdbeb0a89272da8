import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent, noScopes } from '@cadmus/model/entity'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from './store.ts'
import { deleteEntityRows } from './entity-delete.ts'
import { entityFolders, listEntities } from './entity-list.ts'
import { referrersOf, updateResolved } from './entity-reference.ts'
import {
  entitiesByIds,
  entityById,
  insertEntities,
  isEntityNameTaken,
  setEntityContent,
  withAncestors,
} from './entity.ts'

const actor = { userName: 'Test' }
const reference = (id: number, name: string) => ({ id, name, path: `user-defined/${name}` })

describe('The entity store', () => {
  let store: Store
  beforeAll(async () => {
    store = openStore({ kind: 'sqlite', file: ':memory:' })
    await store.migrate()
    await insertEntities(
      store.of(0),
      0,
      [
        { id: 1, path: 'predefined/core/Account', content: newEntityContent({ name: 'Account' }) },
        {
          id: 2,
          path: 'predefined/core/sales/Konto_Ö',
          content: newEntityContent({ name: 'Konto_Ö', extendsEntity: reference(1, 'Account') }),
        },
      ],
      actor,
    )
    const toAccount = newEntityAttribute({
      associatedEntity: reference(1, 'Account'),
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'accountId',
      position: 1,
    })
    await insertEntities(
      store.of(5),
      5,
      [
        {
          id: 10,
          path: 'user-defined/Shop/Order',
          manifestId: 3,
          content: newEntityContent({ name: 'Order', entityAttributes: [toAccount] }),
        },
        {
          id: 11,
          path: 'user-defined/Shop/Gone_100',
          manifestId: 3,
          content: newEntityContent({ name: 'Gone_100', extendsEntity: reference(99, 'Nobody') }),
        },
        { id: 12, path: 'user-defined/Draft', importId: 7, content: newEntityContent({ name: 'Draft' }) },
      ],
      actor,
    )
    await insertEntities(
      store.of(6),
      6,
      [
        { id: 20, path: 'user-defined/Order', content: newEntityContent({ name: 'Order' }) },
        { id: 21, path: 'user-defined/Pattern', content: newEntityContent({ name: 'Pattern', type: 'TEMPLATE' }) },
      ],
      actor,
    )
    await updateResolved(store.of(5), 5, [10, 11])
  })
  afterAll(() => store.close())

  const names = async (query: Partial<Parameters<typeof listEntities>[2]>) =>
    (await listEntities(store.of(5), 5, { page: 0, limit: 100, ...query })).rows.map(row => row.name)

  it('filters predefined, own and resolved entities', holds('E3.71'), async () => {
    expect(await names({})).toEqual(['Account', 'Gone_100', 'Konto_Ö', 'Order'])
    expect(await names({ filter: 'DEFAULT' })).toEqual(['Account', 'Konto_Ö'])
    expect(await names({ filter: 'PRIVATE' })).toEqual(['Gone_100', 'Order'])
    expect(await names({ filter: 'EXCLUSIVE' })).toEqual(['Gone_100', 'Order'])
    expect(await names({ filter: 'RESOLVED' })).toEqual(['Account', 'Konto_Ö', 'Order'])
    // A custom template is private, but not exclusive.
    const ofOther = async (filter: 'PRIVATE' | 'EXCLUSIVE') =>
      (await listEntities(store.of(6), 6, { page: 0, limit: 100, filter })).rows.map(row => row.name)
    expect([await ofOther('PRIVATE'), await ofOther('EXCLUSIVE')]).toEqual([['Order', 'Pattern'], ['Order']])
  })

  it(
    'searches names, folders and paths, with pattern characters taken literally',
    holds('E7.24', 'E7.26', 'E7.27'),
    async () => {
      expect(await names({ search: 'ORD' })).toEqual(['Order'])
      expect(await names({ search: 'O_Ö' })).toEqual(['Konto_Ö'])
      expect(await names({ search: 'e_1' })).toEqual(['Gone_100'])
      expect(await names({ search: '%%%' })).toEqual([])
      // One or two characters also match at any position.
      expect(await names({ search: 'NT' })).toEqual(['Account', 'Konto_Ö'])
      expect(await names({ search: '_' })).toEqual(['Gone_100', 'Konto_Ö'])
      expect(await names({ search: '%' })).toEqual([])
      expect(await names({ folderFilter: 'user-defined/Shop' })).toEqual(['Gone_100', 'Order'])
      expect(await names({ pathFilter: 'SHOP/or' })).toEqual(['Order'])
      expect(await names({ pathFilter: 'Konto_Ö' })).toEqual(['Konto_Ö'])
      expect(await names({ excluded: 10 })).toEqual(['Account', 'Gone_100', 'Konto_Ö'])
    },
  )

  it('pages by number and place without losing or repeating a row', async () => {
    const seen: string[] = []
    let after: string | undefined
    do {
      const part = await listEntities(store.of(5), 5, { page: 0, limit: 3, after })
      expect(part.total).toBe(4)
      seen.push(...part.rows.map(row => row.name))
      after = part.next ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual(await names({}))
    expect(await names({ limit: 3, page: 1 })).toEqual(['Order'])
  })

  it('lists folders by path, searched by their own name', holds('E7.28', 'E7.31'), async () => {
    const folders = async (search: string) =>
      (await entityFolders(store.of(5), 5, { page: 0, limit: 20, search })).folders.map(folder => folder.path)
    expect(await folders('')).toEqual(['predefined/core', 'predefined/core/sales', 'user-defined/Shop'])
    expect(await folders('ORE')).toEqual(['predefined/core'])
  })

  it('reads own and predefined entities, but none of other organisations or running imports', async () => {
    const result = await entitiesByIds(store.of(5), 5, [1, 10, 12, 20])
    expect([...result.keys()].toSorted((a, b) => a - b)).toEqual([1, 10])
    expect(result.get(10)?.content.entityAttributes).toHaveLength(1)
    const family = await withAncestors(store.of(5), 5, (await entitiesByIds(store.of(5), 5, [2])).values())
    expect([...family.keys()]).toEqual([2, 1])
  })

  it('treats names as unique within a manifest, case-insensitively', holds('E5.10'), async () => {
    expect(await isEntityNameTaken(store.of(5), 5, 3, ' ORDER ')).toBe(true)
    expect(await isEntityNameTaken(store.of(5), 5, 3, 'Order', 10)).toBe(false)
    expect(await isEntityNameTaken(store.of(5), 5, 4, 'Order')).toBe(false)
    expect(await isEntityNameTaken(store.of(5), 5, 0, 'Draft')).toBe(false)
  })

  it('changes a content only if it is still in the expected state', async () => {
    const order = await entityById(store.of(5), 5, 10)
    const content = { ...order!.content, operationScopes: { ...noScopes, selectOperationScopes: ['read'] } }
    const change = { id: 10, from: order!, content, path: order!.path }
    expect(await setEntityContent(store.of(5), 5, change, actor)).toMatch(/^[\da-f]{64}$/)
    expect(await setEntityContent(store.of(5), 5, change, actor)).toBeUndefined()
    const { rows } = await listEntities(store.of(5), 5, { page: 0, limit: 1, search: 'order' })
    expect(JSON.parse(rows[0]!.scopes)).toMatchObject({ selectOperationScopes: ['read'] })
    expect(await referrersOf(store.of(5), 5, [1])).toEqual([
      { fromId: 10, attributeUid: content.entityAttributes[0]!.uid, toId: 1 },
    ])
  })

  it('marks referrers of a deleted target unresolved', async () => {
    const content = newEntityContent({ name: 'Child', extendsEntity: reference(10, 'Order') })
    await insertEntities(store.of(5), 5, [{ id: 13, path: 'user-defined/Child', content }], actor)
    await deleteEntityRows(store.of(5), 5, [10])
    expect(await names({ filter: 'RESOLVED' })).toEqual(['Account', 'Konto_Ö'])
    expect(await entityById(store.of(5), 5, 10)).toBeUndefined()
  })
})
