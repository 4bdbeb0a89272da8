import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { defaultPackageName } from '@cadmus/model/package'
import { messages } from '@cadmus/model/messages'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { fieldProblem, newNameProblem } from './blueprint-rules.ts'
import type { StepProps } from './BlueprintStep.tsx'
import { usePackages } from './use-instance.ts'

/** The package name: a new name, or the name of an existing package that gets its next version. */
export function PackageStep({ state, dispatch }: StepProps) {
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
