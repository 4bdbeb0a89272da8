import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId, useState } from 'react'
import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { isEqual } from '@cadmus/model/equal'
import { defaultLicence, parseLicence } from '@cadmus/model/licence'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { countUpTo } from '@cadmus/model/rules/organisation'
import { type LoadedOrganisation, saveOrganisation, useOrganisation } from '../../api/organisations.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'
import styles from './Admin.module.css'
import { ConcurrentChanges, useGuardedSubmission } from './ConcurrentChanges.tsx'
import { databaseLabel, titleOf } from './labels.ts'

type Licence = LoadedOrganisation['organisation']['licence']
export type LicenceDialogProps = { loaded: LoadedOrganisation; onClose: () => void }

/** Licence Limits. Fields not edited here follow concurrent changes. */
export function LicenceDialog({ loaded, onClose }: LicenceDialogProps) {
  const { organisation, etag } = loaded
  const { data: now = loaded } = useOrganisation(organisation.code)
  const [edits, setEdits] = useState<Partial<Licence>>({})
  const [typed, setTyped] = useState<string | null>(null)
  const { busy, error, theirs, reset, submit } = useGuardedSubmission(etag, 'Failed to save the licence limits')
  const stored = now.organisation.licence
  const shown = { ...stored, ...edits }
  const isUnlimited = shown.manifestLimit === null
  const limit = typed ?? String(shown.manifestLimit ?? '')
  const limitProblem = isUnlimited ? undefined : countUpTo(limit, limits.licensedManifests)
  const databaseProblem = shown.databaseTypes.length === 0 ? messages.administration.noDatabase : undefined
  const wrong = reasons.field('Manifest limit', limitProblem) ?? databaseProblem
  const isEntered = !isEqual(shown, stored) || (typed !== null && typed !== String(stored.manifestLimit ?? ''))
  const edit = (change: Partial<Licence>) => {
    setEdits({ ...edits, ...change })
    reset()
  }

  function writeLimit(text: string) {
    setTyped(text)
    reset()
    if (countUpTo(text, limits.licensedManifests) === undefined) edit({ manifestLimit: Number(text) })
  }

  function chooseUnlimited(checked: boolean) {
    setTyped(null)
    edit({ manifestLimit: checked ? null : (stored.manifestLimit ?? defaultLimit) })
  }

  async function save(base: string) {
    if (!isEntered && theirs.length === 0) return onClose()
    await saveOrganisation(organisation.code, { licence: edits }, base)
    notify('success', `Changed the licence limits of ${titleOf(organisation)}.`)
    onClose()
  }

  return (
    <FormDialog
      title="Licence Limits"
      description={titleOf(organisation)}
      onClose={onClose}
      busy={busy}
      entered={isEntered}
      error={error}
      submitLabel="Save"
      blocked={wrong}
      onSubmit={() => void submit(save)}
    >
      <ConcurrentChanges lines={theirs} />
      <TextField
        label="Manifest limit"
        inputMode="numeric"
        value={isUnlimited ? '' : limit}
        reason={isUnlimited && 'Clear No limit to enter a limit.'}
        hint="Maximum number of manifests, not counting sub-manifests. Existing manifests are not deleted."
        error={limitProblem ?? null}
        onChange={writeLimit}
      />
      <div className={styles['checks']}>
        <Checkbox label="No limit" checked={isUnlimited} onChange={chooseUnlimited} />
        <Checkbox label="REST API" checked={shown.rest} onChange={rest => edit({ rest })} />
        <Checkbox label="GraphQL API" checked={shown.graphql} onChange={graphql => edit({ graphql })} />
      </div>
      <DatabaseOrder
        value={shown.databaseTypes}
        error={databaseProblem}
        onChange={databaseTypes => edit({ databaseTypes })}
      />
    </FormDialog>
  )
}

/** Default when a manifest limit is switched on. */
const defaultLimit = parseLicence(defaultLicence).manifestLimit

export type DatabaseOrderProps = {
  value: readonly DatabaseType[]
  onChange: (value: DatabaseType[]) => void
  error: string | undefined
}

/** The databases of a licence in its order, then all other databases. Exports preselect the first. */
export function DatabaseOrder({ value, onChange, error }: DatabaseOrderProps) {
  const id = useId()
  const [announcement, setAnnouncement] = useState('')
  const others = databaseTypes.filter(type => !value.includes(type))

  function move(type: DatabaseType, step: 1 | -1, pressed: HTMLElement) {
    const from = value.indexOf(type)
    const to = from + step
    if (to < 0 || to >= value.length) return
    onChange(value.toSpliced(from, 1).toSpliced(to, 0, type))
    setAnnouncement(`${databaseLabel(type)} is now at position ${to + 1} of ${value.length}.`)
    // Moving the element in the DOM drops its focus.
    requestAnimationFrame(() => pressed.focus())
  }

  return (
    <fieldset className={styles['databases']} aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`}>
      <legend>Database types</legend>
      {error === undefined ? (
        <p id={`${id}-hint`} className={styles['hint']}>
          Exports and configurations start with the first one.
        </p>
      ) : (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
      <ul>
        {[...value, ...others].map(type => {
          const at = value.indexOf(type)
          const label = databaseLabel(type)
          return (
            <li key={type}>
              <Checkbox
                label={label}
                checked={at >= 0}
                onChange={checked => onChange(checked ? [...value, type] : value.filter(other => other !== type))}
              />
              {at === 0 && <span className={styles['default']}>Default</span>}
              <span className={styles['moves']}>
                {at >= 0 && (
                  <>
                    <IconButton
                      label={`Move ${label} up`}
                      icon={ArrowUp}
                      disabled={at === 0 && reasons.first}
                      onClick={event => move(type, -1, event.currentTarget)}
                    />
                    <IconButton
                      label={`Move ${label} down`}
                      icon={ArrowDown}
                      disabled={at === value.length - 1 && reasons.last}
                      onClick={event => move(type, 1, event.currentTarget)}
                    />
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      <output className="visually-hidden">{announcement}</output>
    </fieldset>
  )
}
