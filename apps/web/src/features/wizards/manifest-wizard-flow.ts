import type { GenerateType } from '@cadmus/model/configuration'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { manifestName } from '@cadmus/model/rules/names'
import { emptyMembers, hasMembers, pendingProblem, withPending, type MemberList } from './member-list.ts'
import { reasons } from '../../ui/reasons.ts'

type Named = { id: number; name: string }

/** State of the create-manifest wizard. Steps: name and kind, source (duplicate only), entities. */
export type ManifestWizard = {
  step: 1 | 2 | 3
  name: string
  nameTaken: boolean
  /** Whether the organisation has manifests: only then the kind is offered. */
  hasManifests: boolean
  /** Whether a pasted model gives the entities, so that only the name is asked. */
  isPasted: boolean
  kind: 'empty' | 'duplicate'
  source: Named | null
  /** Whether to build a package as well. */
  generateType: GenerateType
  members: MemberList
}

export type ManifestWizardEvent =
  | { type: 'open'; hasManifests: boolean }
  | { type: 'name'; name: string }
  | { type: 'nameTaken'; taken: boolean }
  | { type: 'kind'; kind: ManifestWizard['kind'] }
  | { type: 'source'; source: Named | null }
  | { type: 'generateType'; generateType: GenerateType }
  | { type: 'members'; members: MemberList }
  | { type: 'next' }
  | { type: 'back' }

export function openManifestWizard(hasManifests: boolean, isPasted = false): ManifestWizard {
  return {
    step: 1,
    name: defaults.manifestName,
    nameTaken: false,
    hasManifests,
    isPasted,
    kind: 'empty',
    source: null,
    generateType: 'Manifest',
    members: emptyMembers,
  }
}

export function nextManifestWizard(state: ManifestWizard, event: ManifestWizardEvent): ManifestWizard {
  switch (event.type) {
    case 'open':
      return openManifestWizard(event.hasManifests)
    case 'name':
      return { ...state, name: event.name, nameTaken: false }
    case 'nameTaken':
      return { ...state, nameTaken: event.taken }
    case 'kind':
      return { ...state, kind: event.kind, source: null }
    case 'source':
      return { ...state, source: event.source }
    case 'generateType':
      return { ...state, generateType: event.generateType }
    case 'members':
      return { ...state, members: event.members }
    case 'next':
      return !isLastStep(state) && whyBlocked(state) === undefined
        ? { ...state, step: state.step === 1 && duplicates(state) ? 2 : 3 }
        : state
    case 'back':
      return { ...state, step: state.step === 3 && duplicates(state) ? 2 : 1 }
  }
}

/** Whether leaving would lose input; a selected radio button alone does not count. */
export function hasEntered(state: ManifestWizard): boolean {
  return state.name !== defaults.manifestName || state.source !== null || hasMembers(state.members)
}

export function stepsOf(state: ManifestWizard): ManifestWizard['step'][] {
  if (state.isPasted) return [1]
  return duplicates(state) ? [1, 2, 3] : [1, 3]
}

export function isLastStep(state: ManifestWizard): boolean {
  return stepsOf(state).at(-1) === state.step
}

export function nameProblem(state: ManifestWizard): string | undefined {
  return manifestName(state.name) ?? (state.nameTaken ? messages.manifestExists(state.name) : undefined)
}

/** Why Next or Finish is unavailable; undefined if it is available. */
export function whyBlocked(state: ManifestWizard): string | undefined {
  const name = reasons.field('Name', nameProblem(state))
  if (state.step === 1 || name !== undefined) return name
  if (duplicates(state) && state.source === null) return reasons.select('a manifest')
  return state.step === 2 ? undefined : membersProblem(state)
}

/** Reason why the list is invalid; undefined if it is valid. A package needs at least one entity. */
export function membersProblem(state: ManifestWizard): string | undefined {
  const pending = pendingProblem(state.members)
  if (pending !== undefined || state.generateType === 'Manifest' || duplicates(state)) return pending
  return hasMembers(state.members) ? undefined : 'A package needs an entity.'
}

export function manifestWizardRequest(state: ManifestWizard) {
  const members = withPending(state.members)
  return {
    manifestName: state.name,
    duplicateManifest: duplicates(state) ? (state.source?.id ?? -1) : -1,
    importsPath: '',
    entities: members.existing.map(entity => entity.id),
    exclusiveEntities: [...members.custom],
    subManifests: [],
    version: defaults.version,
    generateType: state.generateType,
    type: 'EXCLUSIVE' as const,
  }
}

function duplicates(state: ManifestWizard): boolean {
  return state.hasManifests && state.kind === 'duplicate'
}
