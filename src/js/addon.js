// Throws what kept the addon from loading. The first import of index.js, so that nothing else runs without an addon.

import native from './native.cjs'

if (native.failure) throw native.failure
