import { visibleText } from '@cadmus/model/display'
import { compareTexts } from '@cadmus/model/messages/compare'
import { ArrowLeftRight, ChevronDown, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ManifestSelect } from '../commands/ManifestSelect.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import styles from './Compare.module.css'
import { type SideCode, sideWord } from './side-code.ts'
import { type SideGroup, useSideLabel } from './side-options.ts'

const { sides: texts } = compareTexts

export type Sides = { before: SideCode; after: SideCode }

type SideBarProps = {
  sides: Sides
  groups: readonly SideGroup[]
  /** Whether a side may be another manifest. */
  hasOthers: boolean
  onChoose: (sides: Sides) => void
}

/** The two states that are compared, each with the states that it can be. */
export function SideBar({ sides, groups, hasOthers, onChoose }: SideBarProps) {
  const common = { groups, hasOthers }
  return (
    <div className={styles['sides']}>
      <SidePicker
        {...common}
        name={texts.before}
        side={sides.before}
        onChoose={before => onChoose({ ...sides, before })}
      />
      <IconButton
        label={texts.swap}
        icon={ArrowLeftRight}
        onClick={() => onChoose({ before: sides.after, after: sides.before })}
      />
      <SidePicker {...common} name={texts.after} side={sides.after} onChoose={after => onChoose({ ...sides, after })} />
    </div>
  )
}

type SidePickerProps = Omit<SideBarProps, 'sides' | 'onChoose'> & {
  name: string
  side: SideCode
  onChoose: (side: SideCode) => void
}

function SidePicker({ name, side, groups, hasOthers, onChoose }: SidePickerProps) {
  /** null until it is turned for the first time. */
  const [isChoosing, setChoosing] = useState<boolean | null>(null)
  const place = useRef<HTMLSpanElement>(null)
  const [choosesNext, setChoosesNext] = useState(false)
  const label = useSideLabel(side, groups)

  // The button that had the focus is replaced: the new one gets it after menus and lists have closed.
  useEffect(() => {
    if (isChoosing === null) return
    const frame = requestAnimationFrame(() => place.current?.querySelector('button')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [isChoosing])

  if (isChoosing)
    return (
      <span ref={place} className={styles['choosing']}>
        <ManifestSelect
          label={texts.chooseManifest}
          hideLabel
          value={null}
          onChange={({ id }) => {
            setChoosing(false)
            onChoose({ kind: 'manifest', manifest: id, version: null })
          }}
        />
        <IconButton label={texts.stopChoosing} icon={X} onClick={() => setChoosing(false)} />
      </span>
    )
  return (
    <span ref={place}>
      <Menu
        align="start"
        entries={entriesOf({ side, groups, hasOthers, onChoose, onOther: () => setChoosesNext(true) })}
        // Not before: a menu that is closing returns the focus.
        onClosed={() => {
          if (choosesNext) setChoosing(true)
          setChoosesNext(false)
        }}
        trigger={
          <Button title={visibleText(label)}>
            <span className={styles['sideName']}>{texts.picker(name)}</span>{' '}
            <span className={styles['sideLabel']}>{visibleText(label)}</span>
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      />
    </span>
  )
}

type Entries = Omit<SidePickerProps, 'name'> & { onOther: () => void }

function entriesOf({ side, groups, hasOthers, onChoose, onOther }: Entries): MenuEntry[] {
  const shown = sideWord(side)
  const all = groups.flatMap(({ label, options, more = 0 }): MenuEntry[] => [
    ...(label === '' ? [] : [{ kind: 'heading' as const, id: label, label }]),
    ...options.map((option): MenuEntry => ({
      kind: 'item',
      id: `${label} ${option.label} ${sideWord(option.side)}`,
      label: option.label,
      checked: label !== texts.instances && sideWord(option.side) === shown,
      disabled: option.disabled ?? false,
      run: () => onChoose(option.side),
      ...(option.detail === undefined ? {} : { detail: option.detail }),
    })),
    ...(more > 0 ? [{ kind: 'note' as const, id: `${label} more`, label: texts.more(more) }] : []),
  ])
  if (!hasOthers) return all
  return [
    ...all,
    { kind: 'separator', id: 'other' },
    { kind: 'item', id: 'manifest', label: texts.otherManifest, run: onOther },
  ]
}
