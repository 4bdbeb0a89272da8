import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { visibleText } from '@cadmus/model/display'
import type { ReactNode } from 'react'
import { tabLabels, type ConfigurationTab } from '../../commands/configuration-tabs.ts'
import type { Seen } from '../../drafts/open-draft.ts'
import { AppliedText, type AppliedTextProps } from '../../ui/AppliedText.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'
import styles from './Configuration.module.css'

type Build = Configuration['configurationBuild']
type Values = {
  [Part in keyof Build as Build[Part] extends readonly unknown[] ? never : Part]: Build[Part]
} & { connectionPoolInfo: Configuration['packageProperties']['connectionPoolInfo'] }

export function change<P extends keyof Values & string>(
  view: ConfigurationView,
  part: P,
  values: Partial<Values[P]>,
): void {
  const above = part === 'connectionPoolInfo' ? 'packageProperties' : 'configurationBuild'
  const changes = Object.entries(values).map(([field, value]) => ({ path: [above, part, field], value: json(value) }))
  configurationStore.edit(view.key, () => [{ kind: 'changeConfiguration', changes }])
}

/** Sets the password, against the configuration stored when typing began. */
export function setPassword(view: ConfigurationView, password: string, seen: SeenConfiguration): void {
  const changes = [{ path: ['packageProperties', 'connectionPoolInfo', 'password'], value: password }]
  configurationStore.editAbove(view.key, seen, () => [{ kind: 'changeConfiguration', changes }])
}

/** Replaces a list as a whole. `seen`: the configuration stored when the change began. */
export function changeList(
  view: ConfigurationView,
  list: 'aggregateQueries' | 'customProperties',
  make: (content: Configuration) => readonly object[],
  seen: SeenConfiguration = null,
): void {
  const above = list === 'customProperties' ? 'packageProperties' : 'configurationBuild'
  configurationStore.editAbove(view.key, seen, content => [
    { kind: 'changeConfiguration', changes: [{ path: [above, list], value: json(make(content)) }] },
  ])
}

/** The configuration stored when typing began; null for the current one. */
export type SeenConfiguration = Seen<Configuration> | null

type Json = ConfigurationEdit['changes'][number]['value']

function json(value: unknown): Json {
  const copy: Json = JSON.parse(JSON.stringify(value))
  return copy
}

/** One part of a configuration. A locked part takes the focus itself, so that the keyboard can scroll it. */
export function Part({ view, tab, children }: { view: ConfigurationView; tab: ConfigurationTab; children: ReactNode }) {
  return (
    <section className={styles['part']} aria-label={tabLabels[tab]} tabIndex={view.locked === null ? undefined : 0}>
      {children}
    </section>
  )
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['group']} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function ShownSetting({ label, value, mono = false }: { label: string; value: string; mono?: boolean }) {
  return (
    <p className={styles['shown']}>
      <span className={styles['label']}>{label}</span>
      <span className={mono ? styles['mono'] : undefined}>{visibleText(value === '' ? '-' : value)}</span>
    </p>
  )
}

type CheckSettingProps = {
  label: string
  hint?: string
  checked: boolean
  locked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function CheckSetting({ label, hint, checked, locked, disabled = false, onChange }: CheckSettingProps) {
  if (locked) return <ShownSetting label={label} value={checked ? 'Yes' : 'No'} />
  return <Checkbox label={label} hint={hint} checked={checked} disabled={disabled} onChange={onChange} />
}

export function TextSetting({ locked, ...field }: AppliedTextProps & { locked: boolean }) {
  if (locked) return <ShownSetting label={field.label} value={field.value} mono={field.mono ?? false} />
  return <AppliedText {...field} />
}
