import { describe, expect, it } from 'vitest'
import { contentFromRequest } from './apply-request.ts'
import { aList } from './testing/builders.ts'
import { request, stored, unchanged } from './testing/requests.ts'

describe('positions', () => {
  it('a dragged attribute takes its new position among attributes and foreign keys', () => {
    const entity = request(unchanged(stored)).entity
    const place: Record<string, number> = { id: 0, pieces: 1, title: 2 }
    const content = contentFromRequest(
      request({
        ...entity,
        typeAttributes: entity.typeAttributes.map(item => ({ ...item, position: place[item.name ?? ''] })),
        entityAttributes: entity.entityAttributes.map(item => ({ ...item, position: 3 })),
      }),
      stored,
    )
    expect(content.typeAttributes.map(item => [item.name, item.position])).toEqual([
      ['id', 0],
      ['pieces', 1],
      ['title', 2],
    ])
    expect(content.entityAttributes[0]?.position).toBe(3)
  })

  it('a list reordered without positions moves its attributes and keeps the foreign keys in place', () => {
    const entity = request(unchanged(stored)).entity
    const typeAttributes = ['pieces', 'id', 'title'].map(name => ({
      name,
      uid: stored.typeAttributes.find(item => item.name === name)?.uid,
    }))
    const entityAttributes = entity.entityAttributes.map(({ position: _position, ...rest }) => rest)
    const content = contentFromRequest(request({ ...entity, typeAttributes, entityAttributes }), stored)
    expect(content.typeAttributes.map(item => [item.name, item.position])).toEqual([
      ['pieces', 0],
      ['id', 1],
      ['title', 3],
    ])
    expect(content.entityAttributes[0]?.position).toBe(2)
  })

  it('a new attribute comes last, or after the attribute before it in the list', () => {
    const entity = request(unchanged(stored)).entity
    const [id, title, pieces] = entity.typeAttributes
    const content = contentFromRequest(
      request({ ...entity, typeAttributes: [id, { name: 'subtitle' }, title, pieces, { name: 'colour' }] }),
      stored,
    )
    const order = [
      ...content.typeAttributes.map(item => [item.position, item.name]),
      [content.entityAttributes[0]?.position, 'fk'],
    ]
    expect(order.toSorted((a, b) => Number(a[0]) - Number(b[0])).map(item => item[1])).toEqual([
      'id',
      'subtitle',
      'title',
      'fk',
      'pieces',
      'colour',
    ])
  })
})

it('a gap left by a deletion is not a change of positions', () => {
  const typeAttributes = stored.typeAttributes.filter(item => item.name !== 'title')
  const gappy = { ...stored, typeAttributes }
  expect(contentFromRequest(request(unchanged(gappy)), gappy)).toEqual(gappy)
  expect(contentFromRequest(request(unchanged(gappy)), stored)).toEqual(gappy)
})

it('numbers the positions of a new content from 0 without gaps', () => {
  const content = contentFromRequest(
    request({ typeAttributes: [{ name: 'aa', position: 7 }, { name: 'bb', position: 3 }, { name: 'cc' }] }),
  )
  expect(content.typeAttributes).toEqual(aList(...content.typeAttributes))
  expect(content.typeAttributes.map(item => item.name)).toEqual(['bb', 'aa', 'cc'])
})
