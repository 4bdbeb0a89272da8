import type { Configuration } from '@cadmus/model/configuration'
import {
  configurationWarnings,
  needsEntities,
  type ConfigurationWarning,
  type WarnedPart,
} from '@cadmus/model/configuration-warnings'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { manifestPathsQuery } from '../api/configurations.ts'
import { Alert } from '../ui/Alert.tsx'
import styles from './ConfigurationWarnings.module.css'

/** Settings of a configuration that have no effect. Entities are loaded only if a warning depends on them. */
export function useConfigurationWarnings(
  manifestId: number,
  configuration: Configuration,
): readonly ConfigurationWarning[] {
  const { data } = useQuery({ ...manifestPathsQuery(manifestId), enabled: needsEntities(configuration) })
  return useMemo(() => configurationWarnings(configuration, data?.entities), [configuration, data])
}

export type ConfigurationWarningsProps = {
  warnings: readonly ConfigurationWarning[]
  /** Limits the warnings to one tab. */
  part?: WarnedPart
}

/** Warnings are always visible and block nothing. */
export function ConfigurationWarnings({ warnings, part }: ConfigurationWarningsProps) {
  const shown = warnings.filter(warning => part === undefined || warning.part === part)
  if (shown.length === 0) return null
  return (
    <div className={styles['warnings']}>
      {shown.map(({ code, message }) => (
        <Alert key={code} kind="warning">
          {message}
        </Alert>
      ))}
    </div>
  )
}
