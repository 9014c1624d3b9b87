// Prints how long it takes to load the addon in a fresh process, in milliseconds.
'use strict'

const started = performance.now()
require('../../src/js/native.cjs')
console.log(performance.now() - started)
