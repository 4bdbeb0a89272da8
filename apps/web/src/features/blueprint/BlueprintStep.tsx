import { apiTypes } from '@cadmus/model/configuration'
import { databaseTypeTable, embeddedDatabase, missingAdvice } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { defaultPackageName } from '@cadmus/model/package'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { useLicence } from '../../api/licence.ts'
import { usePublications } from '../../commands/published.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import type { Named } from '../../commands/context.ts'
import { commandById } from '../../commands/registry.ts'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { apiLabels, sqlOptionWords } from '../../commands/configuration-words.ts'
import { urlHint } from '../../commands/connection-url-hint.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { reasons } from '../../ui/reasons.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import styles from './Blueprint.module.css'
import { DatabaseStep } from './DatabaseStep.tsx'
import { SummaryStep } from './SummaryStep.tsx'
import { TargetStep } from './TargetStep.tsx'
import type { StepProps } from './blueprint-flow.ts'
import { emptyFields, fieldProblem, neededFields, newNameProblem } from './blueprint-rules.ts'
import { type Connection, schemaLabels, type SchemaOption } from './blueprint.ts'
import { usePackages } from './use-instance.ts'
import { useSettingsFailure } from './use-manifest.ts'

export function BlueprintStep(props: StepProps & { onClose: () => void }) {
  switch (props.state.step) {
    case '1':
      return <ManifestStep {...props} />
    case '2':
      return <GoalStep {...props} />
    case '2a':
      return <TargetStep {...props} />
    case '3':
      return <ContentStep {...props} />
    case '3a1':
      return <DatabaseStep {...props} />
    case '3a2':
      return <ConnectionStep {...props} />
    case '3a3':
      return <SqlStep {...props} />
    case '4':
      return <PackageStep {...props} />
    case '5':
      return <SummaryStep {...props} />
  }
}

function ManifestStep({ state, dispatch, onClose }: StepProps & { onClose: () => void }) {
  const { manifest } = state
  const publication = usePublications()?.find(one => one.manifestId === manifest?.id)
  return (
    <>
      <ManifestSelect
        label="Manifest"
        required
        hint="Its sub-manifests become part of the package."
        error={fieldProblem(state) ?? null}
        disabled={state.working !== null}
        filter="ALL"
        value={manifest}
        onChange={chosen => dispatch({ type: 'manifest', manifest: chosen })}
      />
      {manifest && publication && (
        <div className={styles['again']}>
          <p className={styles['note']}>{blueprintTexts.lastPublished(publication)}</p>
          <Button
            size="dialog"
            disabled={state.working !== null && reasons.busy}
            onClick={() => {
              onClose()
              afterDialogs(() => publishAgain(manifest))
            }}
          >
            Publish Again
          </Button>
        </div>
      )}
    </>
  )
}

/** By the command, because the dialog is a chunk of its own. */
function publishAgain({ id, name }: Named): void {
  const target = { kind: 'manifest', id, name, path: '', isDefault: false, parent: null } as const
  void commandById('manifest.publishAgain')?.run({ target, isAdmin: false, hasManifests: true, active: null })
}

function GoalStep({ state, dispatch }: StepProps) {
  return (
    <RadioGroup
      label="Publish / Export"
      value={state.goal}
      onChange={goal => dispatch({ type: 'goal', goal })}
      options={[
        {
          value: 'publish',
          label: 'Publish',
          hint: 'To an online designer or a server runtime of the integration platform.',
        },
        { value: 'export', label: 'Export', hint: 'As a package, to download or upload later.' },
      ]}
    />
  )
}

function ContentStep({ state, dispatch }: StepProps) {
  const licence = useLicence()
  return (
    <>
      <fieldset className={styles['group']}>
        <legend>API options</legend>
        {apiTypes.map(api => {
          const refusal = licensedApi(api, licence)
          return (
            <Checkbox
              key={api}
              label={apiLabels[api]}
              {...(refusal === undefined ? {} : { hint: refusal })}
              disabled={refusal !== undefined && !state.apis.includes(api)}
              checked={state.apis.includes(api)}
              onChange={on => dispatch({ type: 'api', api, on })}
            />
          )
        })}
      </fieldset>
      <RadioGroup<SchemaOption>
        label="Schema/model option"
        value={state.schema}
        onChange={schema => dispatch({ type: 'schema', schema })}
        options={[
          {
            value: 'DB_STRUCTURE',
            label: schemaLabels.DB_STRUCTURE,
            hint: 'A package that creates the tables, without an API.',
          },
          {
            value: 'ENTITY_GLOOP_MODEL',
            label: schemaLabels.ENTITY_GLOOP_MODEL,
            hint: 'A package with a model for each entity, without a database.',
          },
        ]}
      />
    </>
  )
}

function SqlStep({ state, dispatch }: StepProps) {
  const failure = useSettingsFailure(state)
  const { sql } = state
  if (sql === null)
    return failure === null ? (
      <Skeleton lines={4} />
    ) : (
      <ErrorState message={failure.message} busy={failure.busy} onRetry={failure.retry} />
    )
  return (
    <fieldset className={styles['group']}>
      <legend>SQL Configuration</legend>
      {sqlOptionWords.map(([field, label, hint]) => (
        <Checkbox
          key={field}
          label={label}
          hint={hint}
          checked={sql[field]}
          onChange={checked => dispatch({ type: 'sql', change: { [field]: checked } })}
        />
      ))}
    </fieldset>
  )
}

/** The package name: a new name, or the name of an existing package that gets its next version. */
function PackageStep({ state, dispatch }: StepProps) {
  const { data = [], error, isFetching, isSuccess, refetch } = usePackages(state)
  const { existingPackage, packageMode } = state
  const problem = fieldProblem(state) ?? null
  return (
    <>
      <RadioGroup
        label="Package"
        value={packageMode}
        onChange={mode => dispatch({ type: 'packageMode', mode })}
        options={[
          { value: 'new', label: 'New package' },
          {
            value: 'existing',
            label: 'Existing package',
            hint: isSuccess && data.length === 0 ? blueprintTexts.noPackages : 'Adds a version to an existing package.',
          },
        ]}
      />
      <StillWaiting waiting={isFetching} />
      {error !== null && !isFetching && (
        <UnreadAlert
          failure={{ message: messages.packages.failed.packages, busy: isFetching, retry: () => void refetch() }}
        />
      )}
      {packageMode === 'new' ? (
        <TextField
          label="Package name"
          required
          mono
          hint={`For example ${defaultPackageName(state.manifest?.name ?? '')}`}
          value={state.newPackage}
          error={problem ?? newNameProblem(state) ?? null}
          onChange={name => dispatch({ type: 'newPackage', name })}
        />
      ) : (
        <FilterSelect
          label="Existing package"
          required
          placeholder="Select Package"
          reading={isFetching && !isSuccess}
          options={data.map(({ name, versions }) => ({ value: name, label: [name, versions[0] ?? ''].join('  ') }))}
          value={existingPackage?.name ?? null}
          error={problem}
          onChange={name => {
            const existing = data.find(one => one.name === name)
            if (existing) dispatch({ type: 'existingPackage', existing })
          }}
        />
      )}
    </>
  )
}

function ConnectionStep({ state, dispatch }: StepProps) {
  const { connection, databaseType, details } = state
  if (details === 'loading') return <Skeleton lines={4} />
  const needed = neededFields(state)
  const empty = emptyFields(state)
  // An embedded database has no connection fields to fill in.
  const isEmbedded = typeof details === 'object' && embeddedDatabase(details?.url ?? '') !== undefined
  const advice = missingAdvice(databaseType, connection.url)

  function field(name: keyof Connection) {
    const isEmpty = empty.includes(name)
    const left = isEmpty && state.left.has(name) ? blueprintTexts.fieldLeft[name] : null
    return {
      required: needed.includes(name),
      value: connection[name],
      error: isEmpty && state.attempted ? blueprintTexts.fieldRequired[name] : left,
      onChange: (value: string) => dispatch({ type: 'connection', change: { [name]: value } }),
      onBlur: () => dispatch({ type: 'left', field: name }),
    }
  }

  const address = (
    <>
      <TextField
        label="Connection URL"
        type="url"
        mono
        hint={isEmbedded ? undefined : urlHint(connection.url)}
        {...field('url')}
      />
      {advice !== null && (
        <Alert kind="info">
          Recommended for {databaseTypeTable[databaseType].label}: add <code>{advice}</code> to the connection URL.
        </Alert>
      )}
      <div className={styles['pair']}>
        <TextField label="Username" {...field('username')} />
        <TextField label="Password" type="password" autoComplete="new-password" {...field('password')} />
      </div>
    </>
  )
  const name = <TextField label="Database name" mono {...field('databaseName')} />
  if (isEmbedded) {
    return (
      <>
        <section>
          <h3 className={styles['heading']}>{messages.packages.embeddedDatabase}</h3>
          <p className={styles['note']}>{messages.packages.embeddedMeans}</p>
        </section>
        {name}
        <details open={empty.length > 0 || undefined} className={styles['details']}>
          <summary>Address and user</summary>
          <div>{address}</div>
        </details>
      </>
    )
  }
  return (
    <>
      {address}
      {name}
      {state.database === 'existing' && <p className={styles['note']}>{blueprintTexts.knownToInstance}</p>}
    </>
  )
}
