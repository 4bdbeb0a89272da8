import { columnName, columnsInOrder } from '@cadmus/model/columns'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noticeStore } from '../ui/notices.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { refusedCells } from './cell-problems.ts'
import { draftKey } from './draft-key.ts'
import { entityStandIn } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { pasteEntities } from './paste-entities.ts'
import { stepStackOf } from './step-stack.ts'

/** A server with the entities of one manifest. */
class Server {
  readonly contents = new Map<number, EntityContent>()
  readonly calls: string[] = []
  refused: string | null = null
  manifest = { id: 0, name: 'Clinic', entityPaths: [] as { id: number; name: string }[] }

  add(name: string, ...attributes: string[]): number {
    const id = (lastId += 1)
    const content = newEntityContent({ name })
    const typeAttributes = attributes.map((attribute, at) => newTypeAttribute({ name: attribute, position: at + 1 }))
    this.contents.set(id, { ...content, typeAttributes: [...content.typeAttributes, ...typeAttributes] })
    return id
  }

  /** An entity that the manifest has. */
  addMember(name: string, ...attributes: string[]): number {
    const id = this.add(name, ...attributes)
    this.manifest.entityPaths.push({ id, name })
    return id
  }

  makeTemplate(id: number): void {
    const content = this.contents.get(id)
    if (content) this.contents.set(id, { ...content, type: 'TEMPLATE' })
  }

  answer(path: string, init: RequestInit | undefined): Response {
    const { pathname, searchParams } = new URL(path, 'http://console')
    const isRead = pathname.endsWith('/changes/entities')
    const method = isRead ? 'GET' : (init?.method ?? 'GET')
    this.calls.push(`${method} ${pathname}`)
    const id = Number(/\/entity\/(\d+)$/.exec(pathname)?.[1])
    const content = this.contents.get(id)
    if (content) return this.#entity(id, content)
    if (pathname.endsWith('/entity') && method === 'POST') {
      const { entity } = JSON.parse(String(init?.body)) as { entity: { name: string } }
      if (entity.name === this.refused) return Response.json({ message: 'The name is taken.' }, { status: 409 })
      const created = this.add(entity.name)
      return this.#entity(created, this.contents.get(created) ?? newEntityContent({ name: '' }))
    }
    if (isRead) {
      const { entities } = JSON.parse(String(init?.body)) as { entities: { id: number }[] }
      const states = entities.flatMap(({ id: requested }) => {
        const stored = this.contents.get(requested)
        return stored ? [{ entity: this.#entityAnswer(requested, stored), etag: '"1"', change: null }] : []
      })
      return Response.json({ states, read: entities.length, others: [] })
    }
    const search = searchParams.get('search') ?? ''
    const found = [...this.contents].filter(([, { name }]) => name.includes(search))
    const entity = found.map(([at, { name, operationScopes }]) => {
      return { id: at, name, location: name, folder: '', type: 'EXCLUSIVE', operationScopes }
    })
    const page = { page: 0, size: 20, totalElements: entity.length, result: 'OK', message: '', next: null }
    return Response.json({ entity, ...page })
  }

  #entity(id: number, content: EntityContent): Response {
    return Response.json({ entity: this.#entityAnswer(id, content) }, { headers: { ETag: '"1"' } })
  }

  #entityAnswer(id: number, content: EntityContent) {
    const declaredBy = { id, name: content.name, path: content.name }
    const shared = { choices: [], kind: 'type', origin: 'own', declaredBy }
    const resolvedAttributes = content.typeAttributes.map(({ name, dataType, nullable, maxLength, purpose }) => {
      return { name, dataType, nullable, maxLength, isPrimaryKey: purpose === 'identifiedBy', ...shared }
    })
    return { ...entityStandIn(id, content, undefined), resolvedAttributes }
  }
}

let lastId = 100
let server: Server

beforeEach(() => {
  server = new Server()
  server.manifest.id = lastId += 1
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => Promise.resolve(server.answer(path, init)))
})
afterEach(() => {
  entityStore.close([...entityStore.state.getState().open.keys()])
  noticeStore.setState({ notices: [] })
  workbench.getState().reset()
  vi.unstubAllGlobals()
})

const paste = async (...lines: string[]) => pasteEntities(server.manifest, { text: lines.join('\n'), html: '' })
const notice = () => noticeStore.getState().notices.at(-1)
const draftOf = (id: number) => entityStore.get(draftKey(id, undefined))?.draft
const columnsOf = (id: number) => columnsInOrder(draftOf(id)?.content ?? newEntityContent({ name: '' }))
const namesOf = (id: number) => columnsOf(id).map(columnName)
const idOf = (name: string) => [...server.contents].find(([, content]) => content.name === name)?.[0] ?? 0

describe('A list of attributes pasted into a manifest', () => {
  it('fills the entities that it names as one step, in drafts without tabs', async () => {
    const [patient, doctor] = [server.addMember('Patient', 'born'), server.addMember('Doctor')]
    await paste('Entity\tName\tType', 'Patient\tphone\tvarchar(20)', 'doctor\troom\tint', 'Patient\temail\tvarchar(80)')
    expect(notice()).toMatchObject({ kind: 'success', text: 'Pasted 3 rows into 2 entities.' })
    expect([patient, doctor].map(namesOf)).toEqual([
      ['id', 'born', 'phone', 'email'],
      ['id', 'room'],
    ])
    expect(workbench.getState().tabs.map(({ hidden }) => hidden)).toEqual([true, true])
    notice()?.action?.run()
    expect([patient, doctor].map(id => draftOf(id)?.changes)).toEqual([0, 0])
  })

  it('is undone and made again by the commands of the list of entities', async () => {
    const [patient, doctor] = [server.addMember('Patient'), server.addMember('Doctor')]
    await paste('Entity\tName\tType', 'Patient\tphone\tvarchar(20)', 'Doctor\troom\tint')
    const [undo, redo] = stepStackOf('paste', server.manifest.id).commands
    undo?.run({})
    expect([patient, doctor].map(namesOf)).toEqual([['id'], ['id']])
    redo?.run({})
    expect([patient, doctor].map(namesOf)).toEqual([
      ['id', 'phone'],
      ['id', 'room'],
    ])
  })

  it('creates the entities that the manifest does not have, and relates all by their keys in the list', async () => {
    const doctor = server.addMember('Doctor')
    await paste(
      'Table\tColumn\tType\tKey\tReferences',
      'Visit\tpatientNumber\tvarchar(20)\t\tPatient',
      'Visit\tdoctorId\tint\t\tDoctor.id',
      'Patient\tnumber\tvarchar(20)\tPK\t',
      'Patient\tlastVisitId\tint\t\tVisit.id',
    )
    expect(notice()?.text).toBe('Pasted 4 rows into 2 entities, 2 of them new.')
    const [visit, patient] = [idOf('Visit'), idOf('Patient')]
    // The stored key, which the list renames.
    const [key] = server.contents.get(patient)?.typeAttributes ?? []
    expect(columnsOf(visit)).toMatchObject([
      { name: 'id' },
      {
        foreignKeyTypeAttribute: 'patientNumber',
        foreignKeyDataType: 'string',
        associatedEntity: { id: patient },
        associatedEntityTypeAttribute: 'number',
        associatedEntityTypeAttributeUid: key?.uid,
      },
      { foreignKeyTypeAttribute: 'doctorId', associatedEntity: { id: doctor }, associatedEntityTypeAttribute: 'id' },
    ])
    expect(columnsOf(patient)).toMatchObject([
      { uid: key?.uid, name: 'number', purpose: 'identifiedBy' },
      { foreignKeyTypeAttribute: 'lastVisitId', associatedEntity: { id: visit } },
    ])
  })

  it('keeps texts that cells cannot take, names their entities and opens these', async () => {
    const [patient, doctor] = [server.addMember('Patient'), server.addMember('Doctor')]
    await paste(
      'Entity\tName\tType\tReferences\tOwner',
      'Patient\tplace\tgeometry\t\tAda',
      'Patient\tselfId\tint\tPatient\t',
      'Patient\t80\tint\t\t',
      'Doctor\troom\tint\t\t',
    )
    expect(notice()).toMatchObject({
      kind: 'warning',
      text: 'Pasted 4 rows into 2 entities. 3 cells to look at: Patient (3). Columns not pasted: Owner.',
    })
    expect(namesOf(patient)).toEqual(['id', 'place', 'selfId', '80'])
    const texts = [...refusedCells(draftKey(patient, undefined)).values()].flatMap(cells =>
      [...cells.values()].map(({ text }) => text),
    )
    expect(texts).toEqual(['geometry', 'Patient'])
    expect(workbench.getState().tabs.map(({ id, hidden = false }) => [id, hidden])).toEqual([
      [doctor, true],
      [patient, false],
    ])
  })

  it('leaves attributes that exist as they are and names them', async () => {
    const patient = server.addMember('Patient', 'born')
    await paste('Entity\tName\tType', 'Patient\tborn\tint', 'Patient\tphone\tvarchar(20)')
    expect(notice()?.text).toBe('Pasted a row into one entity. Not changed, because it exists: Patient.born.')
    await paste('Entity\tName\tType', 'Patient\tborn\tint', 'Patient\tphone\tvarchar(20)')
    expect(notice()).toMatchObject({
      text: 'Pasted 0 rows into one entity. Not changed, because they exist: Patient.born, Patient.phone.',
    })
    expect([notice()?.action, draftOf(patient)?.done.length]).toEqual([undefined, 1])
  })

  it('changes nothing if an entity is locked, ambiguous, or has too many attributes', async () => {
    server.addMember('Patient')
    server.makeTemplate(server.addMember('Address'))
    const full = server.addMember('Full', ...Array.from({ length: 5000 }, (_, at) => `field${at}`))
    for (const name of ['Twice', 'Twice']) server.addMember(name)
    await paste('Entity\tName', 'Patient\tphone', 'New\tphone', 'Full\tphone')
    expect(notice()?.text).toMatch(/^Nothing was pasted, because of Full: /)
    await paste('Entity\tName', 'Patient\tphone', 'Address\tstreet')
    expect(notice()?.text).toMatch(/^Nothing was pasted, because of Address: /)
    await paste('Entity\tName', 'Patient\tphone', 'Twice\tphone')
    expect(notice()?.text).toBe('Nothing was pasted, because several entities of the manifest are named Twice.')
    expect(server.calls.filter(call => call.startsWith('POST'))).toEqual([])
    expect(draftOf(full)).toBeUndefined()
    expect(workbench.getState().tabs).toEqual([])
  })

  it('names the entities that exist since another was refused, so that the list can be pasted again', async () => {
    server.refused = 'Taken'
    await paste('Entity\tName', 'Fresh\tphone', 'Taken\tphone')
    expect(notice()).toMatchObject({
      kind: 'error',
      text: expect.stringMatching(/^Created Fresh\. Taken was refused: /),
    })
    expect(workbench.getState().tabs).toEqual([])
  })
})
