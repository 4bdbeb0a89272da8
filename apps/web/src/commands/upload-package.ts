import type { ErrorAnswer } from '@cadmus/model/contract/shared'
import { messages } from '@cadmus/model/messages'
import { schemaGrades, type SchemaStep } from '@cadmus/model/schema-step'
import { ApiError } from '../api/error.ts'
import {
  instancePackages,
  uploadPackage,
  withoutParameter,
  type Instance,
  type Upload,
  type Uploaded,
} from '../api/instance-calls.ts'
import { currentScope, type Scope } from '../api/scope.ts'
import { confirm, type QuestionGroup } from '../workbench/confirm.ts'

type Schema = NonNullable<ErrorAnswer['schema']>

const texts = messages.packages.view.dataLoss
const maxNamed = 5

/** Asks for confirmation if the instance has a package of that name. Resolves to true to upload. */
export async function mayOverride(instance: Instance, name: string, signal: AbortSignal): Promise<boolean> {
  const existing = (await instancePackages(instance, { signal })).find(one => one.name === name)
  // The upload itself refuses a name used by another organisation.
  if (!existing || existing.taken) return true
  return confirm({
    title: 'Upload Package',
    text: messages.packages.confirm.override,
    details: [
      `${name} ${existing.versions.join(', ')} (${existing.status.toLowerCase().replaceAll('_', ' ')})`,
      ...(existing.runningVersion === undefined ? [] : [`${name} ${existing.runningVersion} (serves requests)`]),
    ],
    confirmLabel: 'Proceed',
    danger: true,
  })
}

/** Kind of notice for an upload: not a plain success if there are warnings. */
export function outcomeKind({ warnings }: Uploaded): 'success' | 'warning' {
  return warnings.length > 0 ? 'warning' : 'success'
}

/**
 * Uploads a version and returns the result. If data would be lost, shows the affected data and continues only after
 * confirmation; otherwise rejects with the refusal, without changes. If the list changes in between, asks for
 * confirmation again.
 */
export async function uploadWithConfirmation(
  instance: Instance,
  upload: Upload,
  { signal, scope = currentScope() }: { signal?: AbortSignal; scope?: Scope } = {},
): Promise<Uploaded> {
  const options = { scope, ...(signal ? { signal } : {}) }
  try {
    return await uploadPackage(instance, upload, options)
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.code !== 'instance_loses_data' || !refusal.schema) throw refusal
    const isConfirmed = await confirmLoss(instance, upload, withoutParameter(refusal.message), refusal.schema)
    if (!isConfirmed || signal?.aborted) throw refusal
    const { lossDigest } = refusal.schema
    return uploadWithConfirmation(instance, { ...upload, allowDataLoss: true, lossDigest }, options)
  }
}

async function confirmLoss({ instanceUrl }: Instance, { name, version }: Upload, text: string, schema: Schema) {
  const { steps, count } = schema
  const isRead = await confirm({
    title: texts.title,
    text,
    groups: groupsOf(steps),
    ...(count > steps.length ? { consequences: [texts.more(count - steps.length)] } : {}),
    confirmLabel: texts.goOn,
    danger: true,
  })
  if (!isRead) return false
  const losses = steps.filter(({ grade }) => grade === 'losesData').map(step => step.text)
  const more = losses.length - maxNamed
  return confirm({
    title: texts.surely,
    text: texts.irrevocable(name, version, instanceUrl),
    details: [...losses.slice(0, maxNamed), ...(more > 0 ? [texts.more(more)] : [])],
    confirmLabel: texts.lose,
    danger: true,
  })
}

/** Steps that lose data first; within a severity by entity, in order of occurrence. */
function groupsOf(steps: readonly SchemaStep[]): QuestionGroup[] {
  return schemaGrades.toReversed().flatMap(grade => {
    const own = steps.filter(step => step.grade === grade)
    if (own.length === 0) return []
    const parts = [...Map.groupBy(own, ({ entity }) => entity)].map(([name, of]) => ({
      name,
      lines: of.map(({ text }) => text),
    }))
    return [{ ...texts.grades[grade], isDangerous: grade === 'losesData', parts }]
  })
}
