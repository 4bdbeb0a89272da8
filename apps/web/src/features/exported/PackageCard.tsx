import { visibleText } from '@cadmus/model/display'
import { Package2 } from 'lucide-react'
import { useId, type KeyboardEvent } from 'react'
import type { Hosting } from '../../api/instance-calls.ts'
import type { AppContext } from '../../commands/context.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { commandsAt } from '../../commands/registry.ts'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { BuildState } from './BuildState.tsx'
import { RunState } from './RunState.tsx'
import { versionLabel, type PackageVersion } from './versions.ts'
import styles from './Packages.module.css'

export type PackageCardProps = {
  shown: PackageVersion
  hosting: readonly Hosting[]
  context: AppContext
  /** 1-based. */
  position: number
  /** Whether the card is in the tab order. */
  focusable: boolean
  onFocus: () => void
  onKey: (event: KeyboardEvent<HTMLElement>) => void
  onVersion: (version: string) => void
}

export function PackageCard({
  shown,
  hosting,
  context,
  position,
  focusable,
  onFocus,
  onKey,
  onVersion,
}: PackageCardProps) {
  const id = useId()
  const { package: item, build } = shown
  const isGone = item.manifestId === -1
  return (
    <tr
      data-row-id={item.id}
      aria-labelledby={id}
      aria-rowindex={position}
      aria-busy={build.status === 'PROCESSING'}
      tabIndex={focusable ? 0 : -1}
      className={styles['row']}
      onFocus={onFocus}
      onKeyDown={onKey}
    >
      <td className={styles['card']}>
        <header className={styles['name']}>
          <Package2 size={16} aria-hidden />
          <h2 id={id}>{visibleText(item.name)}</h2>
          {item.isDefault && <span className={styles['chip']}>Predefined</span>}
        </header>
        <p className={styles['path']} title={visibleText(item.manifestPath)}>
          {visibleText(item.manifestPath)}
          {isGone && <span> (deleted)</span>}
        </p>
        <div className={styles['tools']}>
          <FilterSelect
            label="Version"
            hideLabel
            mono
            options={item.builds.map(one => ({ value: one.version, label: versionLabel(one) }))}
            value={build.version}
            onChange={onVersion}
          />
          <Toolbar label={`Actions for ${visibleText(item.name)}`}>
            <CommandButtons
              commands={commandsAt('card')}
              context={{ ...context, target: { kind: 'package', ...shown } }}
            />
          </Toolbar>
        </div>
        <BuildState build={build} />
        <RunState item={item} hosting={hosting} readOnly={context.view === 'admin'} />
      </td>
    </tr>
  )
}
