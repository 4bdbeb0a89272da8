import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { apiTypes } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { useLicence } from '../../api/licence.ts'
import { manifestSource } from '../../api/manifests.ts'
import { apiLabels, sqlOptionWords } from '../../commands/configuration-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { reasons } from '../../ui/reasons.ts'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { schemaLabels, type Blueprint, type Named, type SchemaOption } from './blueprint.ts'
import type { BlueprintEvent } from './blueprint-flow.ts'
import { fieldProblem } from './blueprint-rules.ts'
import { ConnectionStep } from './ConnectionStep.tsx'
import { DatabaseStep } from './DatabaseStep.tsx'
import { PackageStep } from './PackageStep.tsx'
import { lastPublished, targetOf } from './published.ts'
import { SummaryStep } from './SummaryStep.tsx'
import { TargetStep } from './TargetStep.tsx'
import { useSettingsFailure } from './use-manifest.ts'
import styles from './Blueprint.module.css'

export type StepProps = { state: Blueprint; dispatch: (event: BlueprintEvent) => void }

export function BlueprintStep(props: StepProps) {
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

function ManifestStep({ state, dispatch }: StepProps) {
  const { manifest } = state
  const answers = manifest && lastPublished(manifest.id)
  return (
    <>
      <SearchSelect<Named>
        label="Manifest"
        required
        placeholder={messages.placeholders.selectManifest}
        hint="Its sub-manifests become part of the package."
        error={fieldProblem(state) ?? null}
        disabled={state.working !== null}
        source={manifestSource({ filter: 'ALL' })}
        value={manifest && { value: String(manifest.id), label: manifest.name, data: manifest }}
        onChange={({ data }) => dispatch({ type: 'manifest', manifest: { id: data.id, name: data.name } })}
      />
      {manifest && answers && (
        <div className={styles['again']}>
          <p className={styles['note']}>{blueprintTexts.lastPublished(answers.package, targetOf(answers))}</p>
          <Button
            size="dialog"
            disabled={state.working !== null && reasons.busy}
            onClick={() => dispatch({ type: 'again', manifest, answers })}
          >
            Publish Again
          </Button>
        </div>
      )}
    </>
  )
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
