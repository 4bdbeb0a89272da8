import type { ComponentType } from 'react'

/** Icon component of widgets; compatible with lucide icons. */
export type Icon = ComponentType<{ size?: number; strokeWidth?: number; className?: string; 'aria-hidden'?: boolean }>
