import { apiTypes, type Configuration } from '@cadmus/model/configuration'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { manifestPathsQuery } from '../../../api/configurations.ts'
import { useLicence } from '../../../api/licence.ts'
import { ConfigurationWarnings, useConfigurationWarnings } from '../../../commands/ConfigurationWarnings.tsx'
import { readFailure } from '../../../api/read-failure.ts'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { UnreadState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { BuildConnection } from './BuildConnection.tsx'
import { BuildProperties } from './BuildProperties.tsx'
import { withBuild, withProperties } from './build-flow.ts'
import styles from '../Dialogs.module.css'

export type BuildSettingsProps = {
  manifest: { id: number; name: string }
  configuration: Configuration
  disabled: boolean
  onChange: (configuration: Configuration) => void
}

const sqlOptions = [
  ['applyAutoIncrement', 'Apply Auto-Increment'],
  ['applyCoalesce', 'Apply Coalesce'],
  ['applyLimitOffset', 'Apply Limit & Offset'],
  ['applyJoin', 'Apply Relationship Join'],
] as const

const serviceOptions = [
  ['applyMultiTenancy', 'Apply Multi-Tenancy'],
  ['applyCustomField', 'Apply Custom Fields'],
  ['applySot', 'Apply Source of Truth'],
] as const

const apiNames = { REST: 'REST API', SOAP: 'SOAP API', GRAPHQL: 'GRAPHQL API' } as const

/** Settings of one manifest for this build only; never stored. */
export function BuildSettings({ manifest, configuration, disabled, onChange }: BuildSettingsProps) {
  const licence = useLicence()
  const { apiConfiguration, sqlConfiguration, serviceConfiguration } = configuration.configurationBuild
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const warnings = useConfigurationWarnings(manifest.id, configuration)
  return (
    <>
      <ConfigurationWarnings warnings={warnings} />
      <Group title="Connection Pool" disabled={disabled}>
        <BuildConnection
          pool={connectionPoolInfo}
          onChange={pool => onChange(withProperties(configuration, { connectionPoolInfo: pool }))}
        />
      </Group>
      <Group title="API" disabled={disabled} checks>
        {apiTypes.map(type => (
          <Checkbox
            key={type}
            label={apiNames[type]}
            hint={licensedApi(type, licence)}
            checked={apiConfiguration.type.includes(type)}
            disabled={disabled || licensedApi(type, licence) !== undefined}
            onChange={checked => {
              const chosen = apiTypes.filter(one => (one === type ? checked : apiConfiguration.type.includes(one)))
              onChange(withBuild(configuration, 'apiConfiguration', { type: chosen }))
            }}
          />
        ))}
      </Group>
      <Group title="SQL" disabled={disabled} checks>
        {sqlOptions.map(([field, label]) => (
          <Checkbox
            key={field}
            label={label}
            checked={sqlConfiguration[field]}
            disabled={disabled}
            onChange={checked => onChange(withBuild(configuration, 'sqlConfiguration', { [field]: checked }))}
          />
        ))}
      </Group>
      {licence?.serviceOptions && (
        <Group title="Service" disabled={disabled} checks>
          {serviceOptions.map(([field, label]) => (
            <Checkbox
              key={field}
              label={label}
              checked={serviceConfiguration[field]}
              disabled={disabled}
              onChange={checked => onChange(withBuild(configuration, 'serviceConfiguration', { [field]: checked }))}
            />
          ))}
          {serviceConfiguration.applySot && (
            <SourceOfTruth
              manifestId={manifest.id}
              chosen={serviceConfiguration.sotEntities}
              disabled={disabled}
              onChange={sotEntities => onChange(withBuild(configuration, 'serviceConfiguration', { sotEntities }))}
            />
          )}
        </Group>
      )}
      <Group title="Properties" disabled={disabled}>
        <BuildProperties
          configuration={configuration}
          rows={customProperties}
          onChange={rows => onChange(withProperties(configuration, { customProperties: [...rows] }))}
        />
      </Group>
    </>
  )
}

/** `checks`: tighter spacing for checkboxes. */
type GroupProps = { title: string; disabled: boolean; checks?: boolean; children: ReactNode }

function Group({ title, disabled, checks = false, children }: GroupProps) {
  return (
    <fieldset className={checks ? styles['checks'] : styles['group']} disabled={disabled}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

type SourceOfTruthProps = {
  manifestId: number
  chosen: readonly string[]
  disabled: boolean
  onChange: (chosen: string[]) => void
}

function SourceOfTruth({ manifestId, chosen, disabled, onChange }: SourceOfTruthProps) {
  const read = useQuery(manifestPathsQuery(manifestId))
  const readError = readFailure(read, 'The entities of the manifest could not be read.')
  const { data } = read
  if (readError) return <UnreadState failure={readError} />
  if (!data) return <Skeleton lines={3} />
  const names = [...new Set(data.entities.map(({ name }) => name))]
  return (
    <fieldset className={styles['checklist']}>
      <legend>Source of Truth Entities</legend>
      {names.map(name => (
        <Checkbox
          key={name}
          label={name}
          checked={chosen.includes(name)}
          disabled={disabled}
          onChange={checked => onChange(names.filter(one => (one === name ? checked : chosen.includes(one))))}
        />
      ))}
    </fieldset>
  )
}
