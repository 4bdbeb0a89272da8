import type { EntityListItem } from '@cadmus/model/contract/lists'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import {
  attributesProblem,
  attributeNameProblem,
  entityWizardRequest,
  hasEntered,
  nameProblem,
  nextEntityWizard,
  openEntityWizard,
  typedProblem,
  type EntityWizard,
  type EntityWizardEvent,
  whyBlocked,
} from './entity-wizard-flow.ts'
import { noScopes } from '@cadmus/model/entity'
import { emptyMembers, pendingProblem, withPending } from './member-list.ts'
import * as manifests from './manifest-wizard-flow.ts'

const shop = { id: 7, name: 'Shop' }
const account = { id: 3, name: 'Account', attributes: 9, names: ['accountId', 'title'], key: 'accountId' }

const pattern =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

function play(...events: EntityWizardEvent[]): EntityWizard {
  return events.reduce(nextEntityWizard, openEntityWizard())
}

describe('the create-entity wizard', () => {
  it('step 1 leads to step 2 only if a core entity is chosen', holds('E4.39'), () => {
    expect(play({ type: 'next' }).step).toBe(3)
    expect(play({ type: 'choose', choice: 'existing' }, { type: 'core', core: account }, { type: 'next' }).step).toBe(2)
  })

  it('step 2 leads to 3, then 4, then Finish', holds('E4.40'), () => {
    const start: EntityWizardEvent[] = [
      { type: 'choose', choice: 'existing' },
      { type: 'core', core: account },
    ]
    const third = play(...start, { type: 'next' }, { type: 'next' })
    expect(third.step).toBe(3)
    const fourth = [{ type: 'manifest', manifest: shop } as const, { type: 'next' } as const].reduce(
      nextEntityWizard,
      third,
    )
    expect(fourth.step).toBe(4)
    expect(whyBlocked(fourth)).toBeUndefined()
  })

  it('adds the attributes of a core entity without changing the typed name or a later choice', () => {
    const later = {
      type: 'coreAttributes',
      id: 3,
      attributes: { attributes: 9, names: ['accountId'], key: 'accountId' },
    } as const
    const chosen = play(
      { type: 'choose', choice: 'existing' },
      { type: 'core', core: { ...account, attributes: 1, names: [], key: null } },
      { type: 'next' },
      { type: 'name', name: 'MyAccount' },
    )
    expect(nextEntityWizard(chosen, later)).toMatchObject({ name: 'MyAccount', core: { id: 3, key: 'accountId' } })
    const other = nextEntityWizard(chosen, { type: 'core', core: { ...account, id: 4, name: 'Contact' } })
    expect(nextEntityWizard(other, later)).toBe(other)
    expect(nextEntityWizard(play(), later)).toEqual(play())
  })

  it('Back returns to the previous step and keeps the input', holds('E4.41', 'E4.42'), () => {
    const custom = play(
      { type: 'name', name: 'Sale' },
      { type: 'next' },
      { type: 'manifest', manifest: shop },
      { type: 'next' },
    )
    const back = nextEntityWizard(custom, { type: 'back' })
    expect(back).toMatchObject({ step: 3, name: 'Sale', manifest: shop })
    expect(nextEntityWizard(back, { type: 'back' }).step).toBe(1)
    const core = play(
      { type: 'choose', choice: 'existing' },
      { type: 'core', core: account },
      { type: 'next' },
      { type: 'next' },
    )
    expect(nextEntityWizard(core, { type: 'back' }).step).toBe(2)
  })

  it('opens in its initial state', holds('E4.43'), () => {
    const used = play({ type: 'name', name: 'Sale' }, { type: 'next' }, { type: 'manifest', manifest: shop })
    expect(nextEntityWizard(used, { type: 'open' })).toEqual(openEntityWizard())
    expect(openEntityWizard()).toMatchObject({ step: 1, name: 'new_entity', manifest: null, attributes: [] })
  })

  it('disables Next on errors', holds('E4.44'), () => {
    const wrong = play({ type: 'name', name: '9bad' })
    expect(nameProblem(wrong)).toBe(`${pattern} It must begin with a letter, not with "9".`)
    expect(whyBlocked(wrong)).toBe(`Name: ${pattern} It must begin with a letter, not with "9".`)
    expect(whyBlocked(play({ type: 'nameTaken', taken: true }))).toBeDefined()
  })

  it('disables Next if no manifest is chosen at step 3', holds('E4.45'), () => {
    const third = play({ type: 'next' })
    expect(whyBlocked(third)).toBe('Select a manifest first.')
    expect(whyBlocked(nextEntityWizard(third, { type: 'manifest', manifest: shop }))).toBeUndefined()
  })

  it('disables Finish without attributes', holds('E4.46'), () => {
    const fourth = play({ type: 'next' }, { type: 'manifest', manifest: shop }, { type: 'next' })
    expect(whyBlocked(fourth)).toBe('An entity needs an attribute.')
    const one = nextEntityWizard(fourth, { type: 'addAttribute', attribute: { name: 'title', dataType: 'string' } })
    expect(whyBlocked(one)).toBeUndefined()
    expect(whyBlocked(nextEntityWizard(one, { type: 'removeAttributes', names: new Set(['title']) }))).toBeDefined()
  })

  it('the wizard counts a typed attribute as input, and includes it on Finish or shows the reason', () => {
    const fourth = play({ type: 'next' }, { type: 'manifest', manifest: shop }, { type: 'next' })
    expect(hasEntered(fourth, shop)).toBe(false)
    const typed = nextEntityWizard(fourth, { type: 'typed', attribute: { name: 'title', dataType: 'dateTime' } })
    expect(hasEntered(typed, shop)).toBe(true)
    expect(whyBlocked(typed)).toBeUndefined()
    expect(entityWizardRequest(typed).entity.typeAttributes).toMatchObject([{ name: 'title', dataType: 'dateTime' }])
    expect(nextEntityWizard(typed, { type: 'back' }).typed.name).toBe('title')
    const added = nextEntityWizard(typed, { type: 'addAttribute', attribute: { name: 'title', dataType: 'dateTime' } })
    expect(added.typed).toEqual({ name: '', dataType: 'dateTime' })
    const wrong = nextEntityWizard(added, { type: 'typed', attribute: { name: 'Title' } })
    expect(typedProblem(wrong)).toBe('A type attribute with the name "Title" already exists.')
    expect(whyBlocked(wrong)).toBeDefined()
  })

  it('reserves `id` only for an automatic key; a subtype has the inherited key, a copy its attributes (Decisions §10)', () => {
    const custom = play()
    const accepted = (state: EntityWizard, ...names: string[]) =>
      names.filter(name => attributeNameProblem(state, name) === undefined)
    expect(accepted(custom, 'ID', 'accountId')).toEqual(['accountId'])
    const copy = play({ type: 'choose', choice: 'existing' }, { type: 'core', core: account })
    expect(accepted(copy, 'id', 'Title', 'accountid')).toEqual(['id'])
    const subtype = nextEntityWizard(copy, { type: 'takeOver', takeOver: 'extend' })
    expect(accepted(subtype, 'id', 'Title', 'accountid')).toEqual(['id', 'Title'])
    const keyless = nextEntityWizard(subtype, { type: 'core', core: { ...account, key: null } })
    expect(accepted(keyless, 'id')).toEqual([])
  })

  it('disables Finish if an attribute repeats one that is taken over', () => {
    const subtype = play(
      { type: 'choose', choice: 'existing' },
      { type: 'core', core: account },
      { type: 'takeOver', takeOver: 'extend' },
      { type: 'next' },
      { type: 'next' },
      { type: 'manifest', manifest: shop },
      { type: 'next' },
      { type: 'addAttribute', attribute: { name: 'title', dataType: 'string' } },
    )
    expect(whyBlocked(subtype)).toBeUndefined()
    const copy = nextEntityWizard(subtype, { type: 'takeOver', takeOver: 'copy' })
    expect([attributesProblem(copy), whyBlocked(copy)]).toEqual(
      Array(2).fill('A type attribute with the name "title" already exists.'),
    )
  })

  it('a name used in the preset manifest is still rejected when that manifest is chosen again', () => {
    const taken = nextEntityWizard(openEntityWizard(shop), { type: 'nameTaken', taken: true })
    expect(nextEntityWizard(taken, { type: 'manifest', manifest: shop }).nameTaken).toBe(true)
    expect(nextEntityWizard(taken, { type: 'manifest', manifest: { id: 9, name: 'Other' } }).nameTaken).toBe(false)
  })

  it('counts a chosen entity as input, but not a radio button alone', () => {
    expect(hasEntered(play({ type: 'choose', choice: 'existing' }), null)).toBe(false)
    expect(hasEntered(play({ type: 'takeOver', takeOver: 'extend' }), null)).toBe(false)
    expect(hasEntered(play({ type: 'core', core: account }), null)).toBe(true)
    expect(hasEntered(play(), null)).toBe(false)
  })

  it('refuses a duplicate attribute name', holds('E4.47'), () => {
    const one = play({ type: 'addAttribute', attribute: { name: 'title', dataType: 'string' } })
    expect(attributeNameProblem(one, 'Title')).toBeDefined()
    expect(attributeNameProblem(one, 'subtitle')).toBeUndefined()
    expect(nextEntityWizard(one, { type: 'addAttribute', attribute: { name: 'title', dataType: 'float' } })).toEqual(
      one,
    )
  })

  it('copies or extends a core entity under the given name (Decisions §3)', () => {
    const core = play(
      { type: 'choose', choice: 'existing' },
      { type: 'core', core: account },
      { type: 'manifest', manifest: shop },
    )
    expect(entityWizardRequest(core)).toMatchObject({
      duplicateEntityId: 3,
      targetManifestId: 7,
      entity: { name: 'Account', extendsEntity: null },
    })
    const extended = nextEntityWizard(core, { type: 'takeOver', takeOver: 'extend' })
    expect(entityWizardRequest(extended)).toMatchObject({ duplicateEntityId: -1, entity: { extendsEntity: { id: 3 } } })
  })
})

describe('the create-manifest wizard', () => {
  const open = (hasManifests = true) => manifests.openManifestWizard(hasManifests)
  const next = manifests.nextManifestWizard

  it('the wizard skips step 2 for an empty manifest, in both directions', holds('M2.119', 'M2.121'), () => {
    const third = next(open(), { type: 'next' })
    expect(third.step).toBe(3)
    expect(next(third, { type: 'back' }).step).toBe(1)
  })

  it('the wizard has steps 1, 2 and 3 for a duplicate, in both directions', holds('M2.120'), () => {
    const second = next(next(open(), { type: 'kind', kind: 'duplicate' }), { type: 'next' })
    expect(second.step).toBe(2)
    expect(manifests.whyBlocked(second)).toBeDefined()
    const third = next(next(second, { type: 'source', source: shop }), { type: 'next' })
    expect(third.step).toBe(3)
    expect(next(third, { type: 'back' }).step).toBe(2)
    expect(manifests.manifestWizardRequest(third)).toMatchObject({
      duplicateManifest: 7,
      type: 'EXCLUSIVE',
      version: '1.0.0',
    })
  })

  it('asks only for the name if a pasted model gives the entities', () => {
    const state = manifests.openManifestWizard(true, true)
    expect([manifests.stepsOf(state), manifests.isLastStep(state)]).toEqual([[1], true])
    expect(next(state, { type: 'next' })).toBe(state)
    expect(manifests.manifestWizardRequest(state)).toMatchObject({ duplicateManifest: -1, generateType: 'Manifest' })
  })

  it('starts with the name new_manifest, and offers no duplicate without manifests', holds('M2.109'), () => {
    expect(open().name).toBe('new_manifest')
    expect(next(next(open(false), { type: 'kind', kind: 'duplicate' }), { type: 'next' }).step).toBe(3)
  })

  it(
    'disables Next and Finish for an invalid or used name, and enables them once it is corrected',
    holds('M5.9'),
    () => {
      expect(manifests.whyBlocked(next(open(), { type: 'name', name: 'a__b' }))).toBeDefined()
      const third = next(open(), { type: 'next' })
      expect(manifests.whyBlocked(third)).toBeUndefined()
      expect(manifests.whyBlocked(next(third, { type: 'nameTaken', taken: true }))).toBeDefined()
      const wrong = next(third, { type: 'name', name: 'a__b' })
      expect(manifests.whyBlocked(wrong)).toBeDefined()
      expect(manifests.whyBlocked(next(wrong, { type: 'name', name: 'a_b' }))).toBeUndefined()
    },
  )

  it('continues to a package if one is requested, which needs an entity', () => {
    const third = next(next(open(), { type: 'generateType', generateType: 'Database' }), { type: 'next' })
    expect(manifests.hasEntered(third)).toBe(false)
    expect(manifests.whyBlocked(third)).toBe('A package needs an entity.')
    const filled = next(third, { type: 'members', members: { ...emptyMembers, custom: ['Sale'] } })
    expect(manifests.whyBlocked(filled)).toBeUndefined()
    expect(manifests.manifestWizardRequest(filled).generateType).toBe('Database')
    expect(manifests.manifestWizardRequest(open()).generateType).toBe('Manifest')
  })

  it('the wizard counts a picked or typed entity as input, and includes it on Finish or shows the reason', () => {
    const third = next(open(), { type: 'next' })
    expect(manifests.hasEntered(third)).toBe(false)
    const members = { ...emptyMembers, picked: [listed(3, 'Account')], typed: 'Sale' }
    const pending = next(third, { type: 'members', members })
    expect(manifests.hasEntered(pending)).toBe(true)
    expect(manifests.whyBlocked(pending)).toBeUndefined()
    expect(manifests.manifestWizardRequest(pending)).toMatchObject({ entities: [3], exclusiveEntities: ['Sale'] })
    const wrong = next(pending, { type: 'members', members: { ...members, typed: 'account' } })
    expect(manifests.whyBlocked(wrong)).toBeDefined()
    expect(pendingProblem(wrong.members)).toBe('This entity is already in the list.')
    expect(pendingProblem({ ...members, typed: '9x' })).toBe(`${pattern} It must begin with a letter, not with "9".`)
    expect(withPending(members)).toMatchObject({ picked: [], typed: '', custom: ['Sale'] })
  })
})

function listed(id: number, name: string): EntityListItem {
  return {
    id,
    name,
    location: `predefined/${name}`,
    folder: 'predefined',
    type: 'EXCLUSIVE',
    operationScopes: noScopes,
  }
}
