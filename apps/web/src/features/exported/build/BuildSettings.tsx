import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiTypes, type Configuration, isPlaceholder, secretPlaceholder } from '@cadmus/model/configuration'
import { connectionUrl, databaseTypeTable, missingAdvice } from '@cadmus/model/database-types'
import { propertyProblems, typedValue } from '@cadmus/model/rules/configuration'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { manifestPathsQuery } from '../../../api/configurations.ts'
import { useLicence, useLicensedPackageDatabases } from '../../../api/licence.ts'
import { readFailure } from '../../../api/read-failure.ts'
import { ConfigurationWarnings, useConfigurationWarnings } from '../../../commands/ConfigurationWarnings.tsx'
import { OpenSum } from '../../../commands/OpenSum.tsx'
import { DatabaseTypeSelect } from '../../../commands/DatabaseTypeSelect.tsx'
import { urlHint } from '../../../commands/connection-url-hint.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { UnreadState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from '../Dialogs.module.css'
import { databaseOf, withBuild, withDatabaseName, withProperties, withType } from './build-flow.ts'

type Property = Configuration['packageProperties']['customProperties'][number]

type BuildPropertiesProps = {
  configuration: Configuration
  rows: readonly Property[]
  onChange: (rows: readonly Property[]) => void
}

const blank: Property = { name: '', value: '', secret: false }

/** Name-value pairs, with at least one row. */
function BuildProperties({ configuration, rows, onChange }: BuildPropertiesProps) {
  const shown = rows.length === 0 ? [blank] : rows
  const problems = propertyProblems(configuration)
  return (
    <>
      {shown.map((row, index) => (
        // Rows have no stable id: use the index.
        <div key={index} className={styles['property']}>
          <TextField
            label={`Name of property ${index + 1}`}
            hideLabel
            mono
            placeholder="Name"
            value={row.name}
            error={fieldProblem(problems, index, 'name')}
            onChange={name => onChange(shown.with(index, { ...row, name }))}
          />
          <TextField
            label={`Value of property ${index + 1}`}
            hideLabel
            type={row.secret ? 'password' : 'text'}
            value={isPlaceholder(row.value) ? '' : row.value}
            placeholder={isPlaceholder(row.value) ? secretPlaceholder : 'Value'}
            error={fieldProblem(problems, index, 'value')}
            onChange={value => onChange(shown.with(index, { ...row, value }))}
          />
          <IconButton
            label={`Delete property ${index + 1}`}
            icon={Trash2}
            danger
            disabled={index === 0 ? 'The first row cannot be deleted.' : false}
            onClick={() => onChange(shown.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button icon={Plus} className={styles['add']} onClick={() => onChange([...shown, blank])}>
        Add Property
      </Button>
    </>
  )
}

function fieldProblem(problems: ReturnType<typeof propertyProblems>, index: number, field: 'name' | 'value') {
  const problem = problems.get(index)
  return problem?.field === field ? problem.message : null
}

type BuildSettingsProps = {
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
      <OpenSum manifestId={manifest.id} configuration={configuration} />
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

type Pool = Configuration['packageProperties']['connectionPoolInfo']
type BuildConnectionProps = { pool: Pool; onChange: (pool: Pool) => void }

/** Database connection of this build. A stored password is never shown; a typed one replaces it. */
function BuildConnection({ pool, onChange }: BuildConnectionProps) {
  const licensed = useLicensedPackageDatabases()
  const type = databaseOf(pool)
  const { label } = databaseTypeTable[type]
  const missing = missingAdvice(databaseOf(pool), pool.url)
  const isStored = isPlaceholder(pool.password)
  const template = connectionUrl(type, pool.databaseName)
  const templateHint = pool.url === template ? undefined : `The template of ${label} is ${template}`
  return (
    <>
      <DatabaseTypeSelect
        label="Connection Type"
        licensed={licensed}
        value={type}
        onChange={next => onChange(withType(pool, next))}
      />
      <TextField
        label="Connection Url"
        type="url"
        mono
        value={pool.url}
        hint={urlHint(pool.url) ?? templateHint}
        onChange={url => onChange({ ...pool, url })}
      />
      {missing !== null && (
        <Alert kind="info">
          Recommended for {label}: add <code>{missing}</code> to the connection URL.
        </Alert>
      )}
      <TextField
        label="Connection Username"
        value={pool.username}
        onChange={username => onChange({ ...pool, username })}
      />
      <TextField
        label="Connection Password"
        type="password"
        autoComplete="new-password"
        value={isStored ? '' : pool.password}
        placeholder={isStored ? secretPlaceholder : ''}
        onChange={password => {
          if (typedValue(password) === undefined) onChange({ ...pool, password })
        }}
      />
      <TextField
        label="Database Name"
        value={pool.databaseName}
        onChange={name => onChange(withDatabaseName(pool, name))}
      />
    </>
  )
}
