import { packageModelOf } from '@cadmus/formats/package/package-model'
import type { Api } from '@cadmus/model/api/api'
import { apiAdditions } from '@cadmus/model/api/api-additions'
import { apiBreaks } from '@cadmus/model/api/api-breaks'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { scopeChanges } from '@cadmus/model/api/scope-changes'
import { newConfiguration } from '@cadmus/model/configuration'
import type { Consequences } from '@cadmus/model/contract/comparison'
import { type AppliedStep, stepsBetween } from '@cadmus/model/data-steps'
import type { DatabaseType } from '@cadmus/model/database-types'
import { consequenceTexts as texts } from '@cadmus/model/messages/compare-consequences'
import { apiBreakTexts } from '@cadmus/model/messages/packages'
import type { Problem } from '@cadmus/model/problem'
import { maxSchemaSteps, maxStepText, schemaGrades, type SchemaStep } from '@cadmus/model/schema-step'
import { validate } from '@cadmus/model/validate'
import type { SchemaChange } from '@cadmus/sql/alter-changes'
import { apiOf } from '@cadmus/sql/api-of'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { schemaDifference } from '@cadmus/sql/migrate/difference'
import type { Schema } from '@cadmus/sql/tree'
import { bounded, maxProblems } from './bounded.ts'
import { attempt } from './of-model.ts'
import type { SideModel, Sides } from './sides.ts'

/** Limits of the lists and of an operation's scopes; each list then ends with the number left out. */
const maxListed = maxSchemaSteps
const maxScopes = 50
/** In characters. A part of the statements would be of no use. */
const maxStatements = 4 * 1024 * 1024

/**
 * What the difference means for tables as an instance creates them, for callers of the API, and for its scopes. Never
 * throws because of a model: `problems` says what could not be worked out.
 */
export function consequencesOf({ before, after }: Sides, database: DatabaseType): Consequences {
  return consequences({ before, after }, database, (old, now) => [
    ...bounded(messagesOf(old), maxProblems).map(problem => texts.ofSide.before(before.shown, problem)),
    ...bounded(messagesOf(now), maxProblems).map(problem => texts.ofSide.after(after.shown, problem)),
  ])
}

/** As `consequencesOf`, for sides that are parts of a manifest: of the problems only those of the difference. */
export function consequencesOfEdits(sides: Sides, database: DatabaseType): Consequences {
  return consequences(sides, database, (old, now) => {
    const existing = new Set(old.map(({ key }) => key))
    return bounded(messagesOf(now.filter(({ key }) => !existing.has(key))), maxProblems)
  })
}

/** `key`: the same on both sides for the same problem, whatever its names are. */
type SideProblem = { key: string; message: string }
type ProblemsOfSides = (before: readonly SideProblem[], after: readonly SideProblem[]) => string[]

function messagesOf(problems: readonly SideProblem[]): string[] {
  return problems.map(({ message }) => message)
}

/** The message of a problem of the manifest itself says which of its many settings it is about. */
function keyOf({ code, field, path, message }: Problem): string {
  const uids = path.map(step => (step.kind === 'manifest' ? '' : (step.uid ?? String(step.name))))
  return JSON.stringify(uids.some(uid => uid !== '') ? [code, field, uids] : [code, message])
}

function consequences({ before, after }: Sides, database: DatabaseType, ofSides: ProblemsOfSides): Consequences {
  const isServed = [before, after].some(({ configuration }) => protocolsOf(configuration) > 0)
  const [old, now] = [exportedSide(before, database, isServed), exportedSide(after, database, isServed)]
  const { schema, problems } = schemaConsequences(
    old.schema,
    now.schema,
    database,
    stepsBetween(before.resolvedModel, after.resolvedModel),
  )
  const { api, scopes } = apiConsequences(old.api, now.api)
  return {
    problems: [
      ...ofSides(old.problems, now.problems),
      ...problems,
      ...(scopes.length > maxListed ? [texts.scopesLeft(scopes.length - maxListed)] : []),
    ],
    schema,
    api: { isServed, ...api },
    scopes: scopes.slice(0, maxListed).map(change => ({
      ...change,
      before: change.before && bounded(change.before, maxScopes),
      after: change.after && bounded(change.after, maxScopes),
    })),
  }
}

type ExportedSide = { problems: readonly SideProblem[]; schema: Schema | null; api: Api | null }

function exportedSide(
  { resolvedModel, configuration, shown }: SideModel,
  database: DatabaseType,
  isServed: boolean,
): ExportedSide {
  const settings = configuration ?? newConfiguration(resolvedModel.root.name)
  const forApi = protocolsOf(settings) > 0
  // Without an API, errors of its settings have no effect.
  const target = forApi ? 'PACKAGE' : 'DB_STRUCTURE'
  const errors = validate(resolvedModel, { target, configuration: settings, forApi }).filter(
    ({ severity }) => severity === 'error',
  )
  const { version } = shown
  const source = { name: 'compared', version, manifestVersion: version, resolvedModel, configuration: settings }
  const thrown = new Set<string>()
  const model = attempt(() => packageModelOf(source), thrown)
  const fromModel = <T>(work: (model: PackageModel) => T) => model && attempt(() => work(model), thrown)
  return {
    schema: fromModel(one => instanceSchemaOf(one, database).schema),
    api: isServed ? fromModel(apiOf) : null,
    // The validation reports what is thrown as well, in terms of the model.
    problems:
      errors.length > 0
        ? errors.map(problem => ({ key: keyOf(problem), message: problem.message }))
        : Array.from(thrown, message => ({ key: message, message })),
  }
}

function protocolsOf(configuration: SideModel['configuration']): number {
  return configuration?.configurationBuild.apiConfiguration.type.length ?? 0
}

function schemaConsequences(
  before: Schema | null,
  after: Schema | null,
  database: DatabaseType,
  dataSteps: readonly AppliedStep[],
): Pick<Consequences, 'problems' | 'schema'> {
  if (before === null || after === null) return { problems: [], schema: { steps: [], refusals: [], statements: null } }
  const { changes, refusals, statements } = schemaDifference(before, after, database, dataSteps)
  const size = statements?.reduce((sum, { length }) => sum + length, 0) ?? 0
  const isTooLong = size > maxStatements
  return {
    problems: isTooLong ? [texts.statementsTooLong(statements?.length ?? 0, maxStatements)] : [],
    schema: {
      steps: stepsOf(changes),
      refusals: bounded([...new Set(refusals.map(({ text }) => text))], maxListed),
      statements: isTooLong || statements === null ? null : [...statements],
    },
  }
}

/** Those that lose data first. */
function stepsOf(changes: readonly SchemaChange[]): SchemaStep[] {
  const sorted = schemaGrades.toReversed().flatMap(grade => changes.filter(change => change.grade === grade))
  const steps = sorted.slice(0, maxListed).map(({ grade, entity, attribute, text }) => ({
    grade,
    entity: entity.slice(0, maxStepText.name),
    attribute: attribute.slice(0, maxStepText.name),
    text: text.slice(0, maxStepText.text),
  }))
  const next = sorted[maxListed]
  if (next === undefined) return steps
  const more = apiBreakTexts.more(sorted.length - maxListed)
  return [...steps, { grade: next.grade, entity: '', attribute: '', text: more }]
}

function apiConsequences(
  before: Api | null,
  after: Api | null,
): Pick<Consequences, 'scopes'> & { api: Omit<Consequences['api'], 'isServed'> } {
  if (before === null || after === null) return { api: { breaks: [], additions: [] }, scopes: [] }
  return {
    api: {
      breaks: bounded(apiBreaks(before, after), maxListed),
      additions: bounded(apiAdditions(before, after), maxListed),
    },
    scopes: scopeChanges(before, after),
  }
}
