import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import type { DataType } from '@cadmus/model/type-attribute'
import { entityName, isTaken, takenNames } from '@cadmus/model/rules/names'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute'
import type { CoreAttributes } from './core-attributes.ts'
import { reasons } from '../../ui/reasons.ts'

type Named = { id: number; name: string }
type NewAttribute = { name: string; dataType: DataType }

/** State of the create-entity wizard. Steps: choose, take over (core choice only), manifest, attributes. */
export type EntityWizard = {
  step: 1 | 2 | 3 | 4
  choice: 'existing' | 'custom'
  core: (Named & CoreAttributes) | null
  takeOver: 'copy' | 'extend'
  name: string
  manifest: Named | null
  attributes: readonly NewAttribute[]
  /** Input of the row that adds an attribute; Finish includes it. */
  typed: NewAttribute
  /** Whether the server reports the name as used in the chosen manifest. */
  nameTaken: boolean
}

export type EntityWizardEvent =
  | { type: 'open'; manifest?: Named }
  | { type: 'choose'; choice: EntityWizard['choice'] }
  | { type: 'core'; core: EntityWizard['core'] }
  | { type: 'coreAttributes'; id: number; attributes: CoreAttributes }
  | { type: 'takeOver'; takeOver: EntityWizard['takeOver'] }
  | { type: 'name'; name: string }
  | { type: 'nameTaken'; taken: boolean }
  | { type: 'manifest'; manifest: Named | null }
  | { type: 'typed'; attribute: Partial<NewAttribute> }
  | { type: 'addAttribute'; attribute: NewAttribute }
  | { type: 'removeAttributes'; names: ReadonlySet<string> }
  | { type: 'next' }
  | { type: 'back' }

export function openEntityWizard(manifest: Named | null = null): EntityWizard {
  return {
    step: 1,
    choice: 'custom',
    core: null,
    takeOver: 'copy',
    name: defaults.entityName,
    manifest,
    attributes: [],
    typed: { name: '', dataType: 'string' },
    nameTaken: false,
  }
}

export function nextEntityWizard(state: EntityWizard, event: EntityWizardEvent): EntityWizard {
  switch (event.type) {
    case 'open':
      return openEntityWizard(event.manifest)
    case 'choose':
      return { ...state, choice: event.choice, name: defaults.entityName }
    case 'core':
      return { ...state, core: event.core, name: event.core?.name ?? state.name, nameTaken: false }
    case 'coreAttributes':
      // The choice may have changed since the request.
      return state.core?.id === event.id ? { ...state, core: { ...state.core, ...event.attributes } } : state
    case 'takeOver':
      return { ...state, takeOver: event.takeOver }
    case 'name':
      return { ...state, name: event.name, nameTaken: false }
    case 'nameTaken':
      return { ...state, nameTaken: event.taken }
    case 'manifest':
      // The name is looked up again only in another manifest.
      if (event.manifest?.id === state.manifest?.id) return state
      return { ...state, manifest: event.manifest, nameTaken: false }
    case 'addAttribute':
      return attributeNameProblem(state, event.attribute.name) === undefined
        ? { ...state, attributes: [...state.attributes, event.attribute], typed: { ...state.typed, name: '' } }
        : state
    case 'typed':
      return { ...state, typed: { ...state.typed, ...event.attribute } }
    case 'removeAttributes':
      return { ...state, attributes: state.attributes.filter(attribute => !event.names.has(attribute.name)) }
    case 'next':
      return state.step < 4 && whyBlocked(state) === undefined ? { ...state, step: stepAfter(state) } : state
    case 'back':
      return { ...state, step: stepBefore(state) }
  }
}

/** Whether leaving would lose input; a selected radio button alone does not count. */
export function hasEntered(state: EntityWizard, manifest: Named | null): boolean {
  return (
    state.core !== null ||
    state.name !== defaults.entityName ||
    state.attributes.length > 0 ||
    isTyped(state) ||
    state.manifest?.id !== manifest?.id
  )
}

export function nameProblem(state: EntityWizard): string | undefined {
  return entityName(state.name) ?? (state.nameTaken ? messages.entityExists(state.name) : undefined)
}

/** Why Next or Finish is unavailable; undefined if it is available. */
export function whyBlocked(state: EntityWizard): string | undefined {
  const { step, choice, core } = state
  const { field, select } = reasons
  if (step === 1 && choice === 'existing') return core === null ? select('an entity') : undefined
  const name = field('Name', nameProblem(state))
  if (step < 3 || name !== undefined) return name
  if (state.manifest === null) return select('a manifest')
  return step === 3 ? undefined : (attributesProblem(state) ?? missingAttributes(state))
}

/** At least one attribute is required: copied and inherited ones count, the automatic key does not. */
function missingAttributes(state: EntityWizard): string | undefined {
  const coreCount = state.choice === 'existing' ? (state.core?.attributes ?? 0) : 0
  return coreCount + withTyped(state).attributes.length > 0 ? undefined : 'An entity needs an attribute.'
}

/** Problem of the attribute being typed; undefined if it is valid. */
export function typedProblem(state: EntityWizard): string | undefined {
  return isTyped(state) ? attributeNameProblem(state, state.typed.name) : undefined
}

/** Problem of the attributes, the typed one included: copying another entity can add duplicates. */
export function attributesProblem(state: EntityWizard): string | undefined {
  const reserved = takenNames(reservedNames(state))
  const [repeated] = state.attributes.filter(({ name }) => isTaken(name, reserved))
  return repeated ? messages.attributeExists(repeated.name) : typedProblem(state)
}

/** Adds the typed attribute to the list. */
export function withTyped(state: EntityWizard): EntityWizard {
  const { name, dataType } = state.typed
  return nextEntityWizard(state, { type: 'addAttribute', attribute: { name: name.trim(), dataType } })
}

export function attributeNameProblem(state: EntityWizard, name: string): string | undefined {
  return typeAttributeName(name, {
    taken: takenNames([...reservedNames(state), ...state.attributes.map(attribute => attribute.name)]),
  })
}

export function entityWizardRequest(entered: EntityWizard) {
  const state = withTyped(entered)
  const core = state.choice === 'existing' ? state.core : null
  return {
    entity: {
      name: state.name,
      extendsEntity: core && state.takeOver === 'extend' ? { id: core.id } : null,
      typeAttributes: state.attributes.map(attribute => ({ ...attribute, appliedTraits: [] })),
    },
    traits: [],
    targetManifestId: state.manifest?.id ?? -1,
    type: 'EXCLUSIVE' as const,
    duplicateEntityId: core && state.takeOver === 'copy' ? core.id : -1,
  }
}

/** Names that the new entity already has: its automatic or inherited key, or the copied attributes. */
function reservedNames({ choice, core, takeOver }: EntityWizard): readonly string[] {
  if (choice === 'custom' || !core) return ['id']
  return takeOver === 'copy' ? core.names : [core.key ?? 'id']
}

function isTyped({ typed }: EntityWizard): boolean {
  return typed.name.trim() !== ''
}

function stepAfter(state: EntityWizard): EntityWizard['step'] {
  if (state.step === 1) return state.choice === 'existing' ? 2 : 3
  return state.step === 2 ? 3 : 4
}

function stepBefore(state: EntityWizard): EntityWizard['step'] {
  if (state.step === 4) return 3
  if (state.step === 3 && state.choice === 'existing') return 2
  return 1
}
