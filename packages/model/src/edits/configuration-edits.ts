import type { Configuration } from '../configuration.ts'
import { changeConfiguration, changedFields } from './change-configuration.ts'
import type { ConfigurationEdit } from './configuration-edit.ts'
import { applyAll, type Definition, type Definitions, invertAll } from './definition.ts'

const definitions = { changeConfiguration } satisfies Definitions<Configuration, ConfigurationEdit>

export function applyConfigurationEdits(content: Configuration, edits: readonly ConfigurationEdit[]): Configuration {
  return applyAll(definitionOf, content, edits)
}

/** The inverse of the edits; `content` is the state before them. */
export function invertConfigurationEdits(
  content: Configuration,
  edits: readonly ConfigurationEdit[],
): ConfigurationEdit[] {
  return invertAll(definitionOf, content, edits)
}

/** Edits that turn one configuration into another; empty if equal. */
export function configurationEditsBetween(before: Configuration, after: Configuration): ConfigurationEdit[] {
  const changes = changedFields(before, after)
  return changes.length > 0 ? [{ kind: 'changeConfiguration', changes }] : []
}

function definitionOf({ kind }: ConfigurationEdit): Definition<Configuration, ConfigurationEdit> {
  return definitions[kind]
}
