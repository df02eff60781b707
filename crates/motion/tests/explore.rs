mod common;
#[test]
fn explore() {
    for path in common::files("bvh").into_iter().chain(common::files("glb")) {
        let i = common::load(&path);
        println!(
            "{} joints {} takes {:?} {:?}",
            path.file_name().unwrap().display(),
            i.skeleton.len(),
            i.takes.iter().map(|t| (t.name.clone(), t.frames(), t.frame_rate, t.moved.len())).collect::<Vec<_>>(),
            i.report
        );
        match &i.roles {
            Ok(r) => {
                if path.extension().unwrap() == "glb" || path.ends_with("07_01.bvh") {
                    println!(
                        "   {:?}",
                        r.iter().map(|(r, j)| (r.name(), i.skeleton.joint(j).name.clone())).collect::<Vec<_>>()
                    )
                }
            }
            Err(e) => println!("   {e}"),
        }
    }
}
#[test]
fn explore_cuts() {
    use passerby_motion::analysis::*;
    for path in common::files("bvh") {
        let i = common::load(&path);
        let roles = i.roles.as_ref().unwrap();
        let fig = passerby_motion::retarget::Figure { skeleton: &i.skeleton, roles };
        let f = faults::find(&i.skeleton, roles, &i.takes[0]);
        let t = faults::mend(&i.takes[0], &f).unwrap();
        let len = faults::path_length(&i.skeleton, roles, &t);
        print!(
            "{} faults {:?} path {:.2} speed {:.2} ",
            path.file_name().unwrap().display(),
            f.iter().map(|f| f.to_string()).collect::<Vec<_>>(),
            len,
            len / t.duration() as f64
        );
        match cut(fig, &i.takes[0]) {
            Ok(c) => println!(
                "cut {:?} gap {:.1} mm heading {:.1} deg shift {:.1} lowered {:.1} short {:.1} flight {} T {:.3} v {:?} stride {:.3}\n     L heel {:?} ball {:?}\n     R heel {:?} ball {:?}",
                c.frames,
                c.seam_gap * 1e3,
                c.heading_gap.to_degrees(),
                c.shift * 1e3,
                c.lowered * 1e3,
                c.short * 1e3,
                c.flight,
                c.clip.take.duration(),
                c.clip.velocity,
                c.clip.velocity.length() * c.clip.take.duration(),
                c.clip.contacts[0].heel,
                c.clip.contacts[0].ball,
                c.clip.contacts[1].heel,
                c.clip.contacts[1].ball
            ),
            Err(e) => println!("{e}"),
        }
    }
}
