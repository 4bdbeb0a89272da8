import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { CommandButtons } from '../commands/CommandButtons.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { Toolbar } from '../ui/Toolbar.tsx'
import { stepCommands, type StepContext } from './commands.ts'
import styles from './Compare.module.css'

type CompareFrameProps = {
  name: string
  pane: RefObject<HTMLElement | null>
  sideBar: ReactNode
  /** Controls of what is shown. */
  tools?: ReactNode
  /** Absent while there are no differences to go to. */
  onStep: ((by: 1 | -1) => void) | null
  children: ReactNode
}

/** The sides, the tools and what is compared. */
export function CompareFrame({ name, pane, sideBar, tools, onStep, children }: CompareFrameProps) {
  const context = useMemo<StepContext | null>(() => (onStep ? { step: onStep } : null), [onStep])
  useCommands(stepCommands, context)
  return (
    <section ref={pane} className={styles['pane']} aria-label={texts.pane(name)}>
      <div className={styles['bar']}>
        {sideBar}
        <div className={styles['tools']}>
          {tools}
          {context && (
            <Toolbar label={texts.detail}>
              <CommandButtons commands={stepCommands} context={context} />
            </Toolbar>
          )}
        </div>
      </div>
      {children}
    </section>
  )
}
