// Takes the place of a target's own setup, which runs before the firmware and so before anything can catch a chip that does
// not answer; what a board needs it sets up itself. JavaScript, as what it replaces.

export default function setUp(done) {
	done?.();
}
